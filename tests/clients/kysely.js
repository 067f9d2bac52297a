// SPDX-License-Identifier: MIT
// Kysely's migrations, at one of them while others wait. README.md tells what a client has to do.
'use strict';

const {Kysely, Migrator, MysqlDialect} = require('kysely');
const {createPool} = require('mysql2');
const {run} = require('./connection');

const open = () => new Kysely({
    dialect: new MysqlDialect({
        pool: createPool({
            socketPath: process.env.CLIENT_SOCKET,
            user: process.env.CLIENT_USER,
            password: process.env.CLIENT_PASSWORD,
            database: process.env.CLIENT_SCHEMA,
        }),
    }),
});

const migrate = async (db, up) => {
    const provider = {getMigrations: async () => ({first: {up}})};
    const {error, results} = await new Migrator({db, provider}).migrateToLatest();
    if (error)
        throw error;
    return results.length;
};

run(async () => {
    const holder = open();
    const other = open();
    let others;
    const held = migrate(holder, async () => {
        console.log('held');
        others = migrate(other, async () => {});
        await new Promise(resolve => process.stdin.once('data', resolve));
    });
    const told = await held.then(() => 'no', error => error.message);
    console.log(`the holder is told: ${told.includes('closed state') ? 'yes' : told}`);
    console.log(`another takes it: ${await others === 1 ? 'yes' : 'no'}`);
    await holder.destroy().catch(() => {});
    await other.destroy();
    process.stdin.destroy();
});
