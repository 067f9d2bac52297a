// SPDX-License-Identifier: MIT
// Knex's migrations, of which one dies at work and so leaves its lock. README.md tells what a client has to do.
'use strict';

const {fork} = require('child_process');
const {open, run, waitForLine} = require('./connection');

const knex = open();
const isOneThatDies = process.argv[2] === 'dies';

const migrate = names => knex.migrate.latest({
    migrationSource: {
        getMigrations: async () => names,
        getMigrationName: name => name,
        getMigration: name => ({
            // As migrations do: it changes a table, which commits the transaction that took the lock.
            up: async transaction => {
                if (!await transaction.schema.hasTable(name))
                    await transaction.schema.createTable(name, table => table.increments());
                if (!isOneThatDies)
                    return;
                console.log('held');
                await new Promise(() => {});
            },
            down: async () => {},
        }),
    },
});

run(async () => {
    if (isOneThatDies)
        return migrate(['first']);
    const other = fork(__filename, ['dies'], {stdio: ['ignore', 'inherit', 'inherit', 'ipc']});
    waitForLine();
    other.kill('SIGKILL');
    await new Promise(resolve => other.on('exit', resolve));
    const [, applied] = await migrate(['first', 'second']); // refused while it is locked
    console.log(`another takes it: yes, for ${applied.join()}`);
    await migrate(['first', 'second', 'third']);
    await knex.destroy();
});
