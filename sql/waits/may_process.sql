-- Purpose: whether the user may see the transactions and sessions of others; error 1227 says no.
-- Privileges: PROCESS.
-- Parameters: none.
-- Units: none.
SELECT COUNT(*) FROM information_schema.innodb_trx WHERE FALSE
