-- Purpose: which transaction waits for which, and for what.
-- Privileges: PROCESS, SELECT on performance_schema; error 1142 without.
-- Parameters: limit (edges).
-- Units: none.
--
-- Transactions, not threads: data_locks.thread_id is the thread that made the lock's object, which is a waiter's where the
-- lock of the holder was implicit. data_locks is read by its primary key only, once for each lock that is waited for.
SELECT requesting_engine_transaction_id, blocking_engine_transaction_id, requesting_engine_lock_id
FROM performance_schema.data_lock_waits
WHERE engine = 'INNODB'
LIMIT :limit;
SELECT
    l.engine_lock_id, l.lock_type, l.object_schema, l.object_name, l.index_name, l.lock_mode, LEFT(l.lock_data, 256),
    IF(l.lock_status = 'WAITING', w.trx_id, NULL)
FROM (
    SELECT trx_id, trx_requested_lock_id
    FROM information_schema.innodb_trx
    WHERE trx_requested_lock_id IS NOT NULL
    LIMIT :limit
) AS w
STRAIGHT_JOIN performance_schema.data_locks AS l ON l.engine_lock_id = w.trx_requested_lock_id AND l.engine = 'INNODB'
