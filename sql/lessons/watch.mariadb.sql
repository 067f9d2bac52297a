-- SPDX-License-Identifier: MIT
-- Purpose: what a run reads of the server itself: an error where the right is missing, before anything is made.
-- Privileges: PROCESS.
-- Parameters: none.
-- Units: none.
SELECT COUNT(*) FROM information_schema.innodb_trx
