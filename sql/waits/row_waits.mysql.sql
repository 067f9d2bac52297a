-- Purpose: which transaction waits for which, and for what.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: limit (edges).
-- Units: none.
--
-- Transactions, not threads: data_locks.thread_id is the thread that made the lock's object, which is a waiter's where the
-- lock of the holder was implicit. data_locks is read by its primary key only, once for each lock that is waited for.
SELECT requesting_engine_transaction_id, blocking_engine_transaction_id, requesting_engine_lock_id
FROM performance_schema.data_lock_waits
WHERE engine = 'INNODB'
LIMIT :limit;
SELECT l.engine_lock_id, l.lock_type, l.object_schema, l.object_name, l.index_name, l.lock_mode, LEFT(l.lock_data, 256)
FROM (
    SELECT DISTINCT requesting_engine_lock_id AS id
    FROM performance_schema.data_lock_waits
    WHERE engine = 'INNODB'
    LIMIT :limit
) AS w
STRAIGHT_JOIN performance_schema.data_locks AS l ON l.engine_lock_id = w.id AND l.engine = 'INNODB'
