// SPDX-License-Identifier: MIT
// Knex's migrations: takes their lock, says so, waits for a line, and goes on.
'use strict';

const fs = require('fs');
const knex = require('knex')({client: 'mysql2', connection: JSON.parse(process.env.CLIENT_JSON)});

const line = () => fs.readSync(0, Buffer.alloc(100));
const source = names => ({
    getMigrations: async () => names,
    getMigrationName: name => name,
    getMigration: name => ({
        up: async migration => {
            if (name !== 'first')
                return;
            await migration.schema.createTable('stock', table => table.increments()); // commits, the lock too
            console.log('taken');
            line();
        },
        down: async () => {},
    }),
});

(async () => {
    await knex.migrate.latest({migrationSource: source(['first'])});
    await knex.migrate.latest({migrationSource: source(['first', 'second'])}); // throws when it is locked
    console.log('granted');
    await knex.migrate.latest({migrationSource: source(['first', 'second', 'third'])});
    console.log('unharmed');
    await knex.destroy();
})().catch(error => {
    console.log(error.message);
    process.exit(1);
});
