-- SPDX-License-Identifier: MIT
-- Purpose: every row lock in a lesson's schema, granted or waited for. Intentions on the table are left out: every
--          transaction that locks a row has one.
-- Privileges: SELECT on performance_schema.
-- Parameters: schema.
-- Units: none.
SELECT COALESCE(t.processlist_id, 0), l.object_name, l.index_name, l.lock_mode, l.lock_data, l.lock_status = 'WAITING'
FROM performance_schema.data_locks l
LEFT JOIN performance_schema.threads t ON t.thread_id = l.thread_id
WHERE l.object_schema = :schema AND l.lock_type = 'RECORD'
LIMIT 2001
