-- SPDX-License-Identifier: MIT
-- Purpose: metadata locks and user-level locks, those that somebody waits for first, then those that were asked for by
--          name (LOCK TABLES, GET_LOCK, FLUSH TABLES WITH READ LOCK), then those of transactions.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: limit (rows).
-- Units: none.
--
-- Own looks, and those of all others at these schemas, are left out; so are the locks by which engines tell that they live,
-- one for each lease, but for those that somebody waits for. On MySQL a prepared transaction keeps its locks when its session
-- has ended, under a thread that is not there any more.
SELECT
    {parts/metadata_columns}
FROM performance_schema.metadata_locks AS m
LEFT JOIN (
    SELECT DISTINCT object_type, object_schema, object_name
    FROM performance_schema.metadata_locks
    WHERE lock_status = 'PENDING'
) AS p
    ON p.object_type = m.object_type
        AND p.object_schema <=> m.object_schema
        AND p.object_name <=> m.object_name
LEFT JOIN performance_schema.threads AS t ON t.thread_id = m.owner_thread_id
WHERE (t.thread_id IS NULL OR t.processlist_id <> CONNECTION_ID())
    AND m.lock_status IN ('GRANTED', 'PENDING')
    AND (p.object_type IS NOT NULL
        OR m.lock_duration = 'EXPLICIT'
            AND NOT (m.object_type = 'USER LEVEL LOCK' AND m.object_name REGEXP '^b?ls:[0-9a-f]{32}:')
        OR m.object_type = 'TABLE' AND m.lock_duration = 'TRANSACTION'
            AND m.object_schema NOT IN ('performance_schema', 'information_schema'))
ORDER BY p.object_type IS NULL, m.lock_status = 'GRANTED', m.lock_duration <> 'EXPLICIT'
LIMIT :limit
