-- SPDX-License-Identifier: MIT
-- Purpose: every row lock in a lesson's schema, granted or waited for. Intentions on the table are left out: every
--          transaction that locks a row has one. They say whose the transaction is: the thread of a row's lock is that of
--          who made it known, which for the lock of an inserted row is the first who waits for it.
-- Privileges: SELECT on performance_schema.
-- Parameters: schema.
-- Units: none.
SELECT COALESCE(t.processlist_id, 0), l.object_name, l.index_name, l.lock_mode, l.lock_data, l.lock_status = 'WAITING'
FROM performance_schema.data_locks l
LEFT JOIN (
    SELECT engine_transaction_id, MIN(thread_id) AS thread_id
    FROM performance_schema.data_locks
    WHERE lock_type = 'TABLE'
    GROUP BY engine_transaction_id
) o ON o.engine_transaction_id = l.engine_transaction_id
LEFT JOIN performance_schema.threads t ON t.thread_id = COALESCE(o.thread_id, l.thread_id)
WHERE l.object_schema = :schema AND l.lock_type = 'RECORD'
LIMIT 2001
