-- SPDX-License-Identifier: MIT
-- Purpose: what a run reads of the server itself: an error where the right is missing, before anything is made.
-- Privileges: PROCESS, SELECT on performance_schema.
-- Parameters: none.
-- Units: none.
SELECT COUNT(*) FROM information_schema.innodb_trx;
SELECT 1 FROM performance_schema.data_locks LIMIT 0;
SELECT 1 FROM performance_schema.threads LIMIT 0
