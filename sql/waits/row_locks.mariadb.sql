-- SPDX-License-Identifier: MIT
-- Purpose: what the locks are that somebody waits for, and whose.
-- Privileges: PROCESS; error 1227 without.
-- Parameters: limit (rows).
-- Units: none.
--
-- InnoDB fills its tables anew only when nobody has read them for 0.1 s, so this and waits/row_waits see the same moment.
SELECT lock_id, lock_type, NULL, lock_table, lock_index, lock_mode, LEFT(lock_data, 256), lock_trx_id
FROM information_schema.innodb_locks
LIMIT :limit
