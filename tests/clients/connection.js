// SPDX-License-Identifier: MIT
// Knex on the server that the environment names.
'use strict';

const fs = require('fs');

module.exports = {
    open: () => require('knex')({
        client: 'mysql2',
        connection: {
            socketPath: process.env.CLIENT_SOCKET,
            user: process.env.CLIENT_USER,
            password: process.env.CLIENT_PASSWORD,
            database: process.env.CLIENT_SCHEMA,
        },
    }),
    waitForLine: () => fs.readSync(0, Buffer.alloc(100)),
    run: work => work().then(() => console.log('done')).catch(error => {
        console.log(error.message);
        process.exit(1); // its connections would keep it here
    }),
};
