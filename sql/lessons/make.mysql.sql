-- SPDX-License-Identifier: MIT
-- Purpose: the schema of one run, and an account for its sessions. It may do anything there and nothing elsewhere, but
--          see who waits for whom. XA_RECOVER_ADMIN, because only with it MySQL shows prepared transactions.
--          The account comes first and goes last: whoever finds one finds all that there is of its run.
-- Privileges: those to make schemas and users, and PROCESS and XA_RECOVER_ADMIN with the right to grant them.
-- Parameters: schema, pattern (the schema's name as GRANT reads it), user, host, password.
-- Units: none.
CREATE USER :user@:host IDENTIFIED BY :password;
CREATE DATABASE :schema;
GRANT ALL ON :pattern.* TO :user@:host;
GRANT PROCESS, XA_RECOVER_ADMIN ON *.* TO :user@:host
