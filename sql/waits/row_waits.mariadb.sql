-- Purpose: which transaction waits for which, and for what.
-- Privileges: PROCESS; error 1227 without.
-- Parameters: limit (edges).
-- Units: none.
--
-- InnoDB fills these tables anew only when nobody has read them for 0.1 s, so both statements see the same moment.
SELECT requesting_trx_id, blocking_trx_id, requested_lock_id
FROM information_schema.innodb_lock_waits
LIMIT :limit;
SELECT lock_id, lock_type, NULL, lock_table, lock_index, lock_mode, LEFT(lock_data, 256), lock_trx_id
FROM information_schema.innodb_locks
LIMIT :limit
