-- SPDX-License-Identifier: MIT
-- Purpose: metadata locks of two kinds, those that somebody waits for first, then those that were asked for by name (LOCK
--          TABLES, FLUSH TABLES WITH READ LOCK), then those of transactions.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: first, second (types of objects; the same twice for one), limit (rows).
-- Units: none.
--
-- What is left out is as in waits/metadata of MariaDB. A kind is looked up in an index of this schema, which passes over a
-- lock of another one in a third of the time that it takes to read it. Beside 100,000 of these that is still 10 ms a kind, so
-- a statement asks for no more than two. A second use of the same locks, as by a join, would pass over all of them once more.
SELECT
    {parts/metadata_columns}
FROM (
    SELECT
        object_type, object_schema, object_name, lock_type, lock_duration, lock_status, owner_event_id, owner_thread_id,
        MAX(lock_status = 'PENDING') OVER (PARTITION BY object_type, object_schema, object_name) AS is_waited
    FROM performance_schema.metadata_locks
    WHERE object_type IN (:first, :second)
        AND lock_status IN ('GRANTED', 'PENDING')
) AS m
LEFT JOIN performance_schema.threads AS t ON t.thread_id = m.owner_thread_id
WHERE (t.thread_id IS NULL OR t.processlist_id <> CONNECTION_ID())
    AND (m.is_waited
        OR m.lock_duration = 'EXPLICIT'
        OR m.object_type = 'TABLE' AND m.lock_duration = 'TRANSACTION'
            AND m.object_schema NOT IN ('performance_schema', 'information_schema'))
ORDER BY m.is_waited DESC, m.lock_status = 'GRANTED', m.lock_duration <> 'EXPLICIT'
LIMIT :limit
