-- SPDX-License-Identifier: MIT
-- Purpose: whether the user may see the transactions and sessions of others; error 1227 says no.
-- Privileges: PROCESS.
-- Parameters: none.
-- Units: none.
SELECT trx_id FROM information_schema.innodb_trx LIMIT 1
