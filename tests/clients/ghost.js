// SPDX-License-Identifier: MIT
// The lock of Ghost's migrations. README.md tells what a client has to do.
'use strict';

const {open, run, waitForLine} = require('./connection');
const locking = require('knex-migrator/lib/locking');

run(async () => {
    const knex = open();
    await require('knex-migrator/migrations/lock-table').up(knex);
    await locking.lock(knex);
    console.log('held');
    waitForLine();
    await locking.isLocked(knex); // throws when it is
    await locking.lock(knex);
    console.log('another takes it: yes');
    await locking.unlock(knex);
    const told = await locking.unlock(knex).then(() => 'no', error => error.message);
    console.log(`the holder is told: ${told}`);
    await knex.destroy();
});
