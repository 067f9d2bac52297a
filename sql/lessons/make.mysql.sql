-- SPDX-License-Identifier: MIT
-- Purpose: the schema of one run, and an account for its sessions. It may do there what lessons need and nothing elsewhere,
--          but see who waits for whom. No EVENT: its sessions would outlive the run. XA_RECOVER_ADMIN, because only with it MySQL shows prepared transactions.
--          The account comes first and goes last: whoever finds one finds all that there is of its run. The schema comes
--          last: who may grant all rights on it may drop it.
--          With the quote before :password its text begins with Ls-1', for servers that ask for several kinds of
--          characters.
-- Privileges: those of grants/lessons.
-- Parameters: schema, pattern (the schema's name as GRANT reads it), user, host, password.
-- Units: none.
CREATE USER :user@:host IDENTIFIED BY 'Ls-1':password;
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, REFERENCES, INDEX, ALTER, CREATE TEMPORARY TABLES, LOCK TABLES,
    CREATE VIEW, SHOW VIEW, CREATE ROUTINE, ALTER ROUTINE, EXECUTE, TRIGGER ON :pattern.* TO :user@:host;
GRANT PROCESS, XA_RECOVER_ADMIN ON *.* TO :user@:host;
CREATE DATABASE :schema
