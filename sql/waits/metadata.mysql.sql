-- SPDX-License-Identifier: MIT
-- Purpose: metadata locks and user-level locks, those that somebody waits for first, then those that were asked for by
--          name (LOCK TABLES, GET_LOCK, FLUSH TABLES WITH READ LOCK), then those of transactions.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: all (1: user-level locks of all threads), threads (a list: of these alone), rare (1: also the kinds that
--             are of no interest but where somebody waits for one; who has that of commits has the global one too), limit
--             (rows).
-- Units: none.
--
-- What is left out is as in waits/metadata of MariaDB, but for who holds an engine's lock that somebody waits for: see
-- waits/metadata_names. Each kind and each thread is looked up in an index of this schema, which passes over a lock of
-- another one in a fraction of the time that it takes to read it; compared by LIKE, no kind is looked up instead of the
-- threads.
WITH few AS (
    SELECT
        object_type, object_schema, object_name, lock_type, lock_duration, lock_status, owner_event_id, owner_thread_id
    FROM performance_schema.metadata_locks
    WHERE object_type IN ('TABLE', 'GLOBAL', 'BACKUP LOCK')
        AND lock_status IN ('GRANTED', 'PENDING')
    UNION ALL
    SELECT
        object_type, object_schema, object_name, lock_type, lock_duration, lock_status, owner_event_id, owner_thread_id
    FROM performance_schema.metadata_locks
    WHERE :rare
        AND object_type IN (
            'COMMIT', 'BACKUP TABLES', 'LOCKING SERVICE', 'SCHEMA', 'FUNCTION', 'PROCEDURE', 'TRIGGER', 'EVENT',
            'LIBRARY', 'TABLESPACE', 'FOREIGN KEY', 'CHECK CONSTRAINT', 'ACL CACHE', 'COLUMN STATISTICS',
            'RESOURCE_GROUPS', 'SRID')
        AND lock_status IN ('GRANTED', 'PENDING')
    UNION ALL
    SELECT
        object_type, object_schema, object_name, lock_type, lock_duration, lock_status, owner_event_id, owner_thread_id
    FROM performance_schema.metadata_locks
    WHERE (:all OR owner_thread_id IN (:threads))
        AND object_type LIKE 'USER LEVEL%'
        AND lock_status IN ('GRANTED', 'PENDING')
        AND ({parts/unlike_engines} OR lock_status = 'PENDING')
),
waited AS (
    SELECT DISTINCT object_type, object_schema, object_name FROM few WHERE lock_status = 'PENDING'
)
SELECT
    m.object_type,
    m.object_schema,
    m.object_name,
    m.lock_type,
    m.lock_duration,
    m.lock_status = 'PENDING',
    t.processlist_id,
    m.owner_event_id,
    m.owner_thread_id
FROM few AS m
LEFT JOIN waited AS w
    ON w.object_type = m.object_type
        AND w.object_schema <=> m.object_schema
        AND w.object_name <=> m.object_name
LEFT JOIN performance_schema.threads AS t ON t.thread_id = m.owner_thread_id
WHERE (t.thread_id IS NULL OR t.processlist_id <> CONNECTION_ID())
    AND (w.object_type IS NOT NULL
        OR m.lock_duration = 'EXPLICIT'
        OR m.object_type = 'TABLE' AND m.lock_duration = 'TRANSACTION'
            AND m.object_schema NOT IN ('performance_schema', 'information_schema'))
ORDER BY w.object_type IS NULL, m.lock_status = 'GRANTED', m.lock_duration <> 'EXPLICIT'
LIMIT :limit
