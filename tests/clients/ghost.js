// SPDX-License-Identifier: MIT
// The lock of Ghost's migrations (knex-migrator): takes it, says so, waits for a line, and goes on.
'use strict';

const fs = require('fs');
const knex = require('knex')({client: 'mysql2', connection: JSON.parse(process.env.CLIENT_JSON)});
const locking = require('knex-migrator/lib/locking');

(async () => {
    await require('knex-migrator/migrations/lock-table').up(knex);
    await locking.lock(knex);
    console.log('taken');
    fs.readSync(0, Buffer.alloc(100));
    await locking.isLocked(knex); // throws when it is
    await locking.lock(knex);
    console.log('granted');
    await locking.unlock(knex);
    await locking.unlock(knex).then(() => console.log('still'), () => console.log('unharmed'));
    await knex.destroy();
})().catch(error => {
    console.log(error.message);
    process.exit(1);
});
