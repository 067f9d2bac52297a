-- SPDX-License-Identifier: MIT
-- Purpose: which transaction waits for which, and at which lock; and the thread and event at which the blocker's was made.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: limit (edges).
-- Units: none.
--
-- Transactions, not threads: data_locks.thread_id is the thread that made the lock's object, which is a waiter's where the
-- lock of the holder was implicit.
SELECT
    requesting_engine_transaction_id, blocking_engine_transaction_id, requesting_engine_lock_id, blocking_thread_id,
    blocking_event_id
FROM performance_schema.data_lock_waits
WHERE engine = 'INNODB'
LIMIT :limit
