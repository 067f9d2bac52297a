-- SPDX-License-Identifier: MIT
-- Purpose: metadata locks and user-level locks, those that somebody waits for first, then those that were asked for by
--          name (LOCK TABLES, GET_LOCK, FLUSH TABLES WITH READ LOCK), then those of transactions.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: limit (rows).
-- Units: none.
--
-- What is left out is as in waits/metadata of MariaDB. The locks by which engines tell that they live may be very many, and
-- this server is slow to look up a name for each: they are gone through once, and a second time only when somebody waits
-- for one of them. The limit of `few` keeps it a table that is made once; without an index the names are hashed, for an
-- index of this schema is a search through all of it.
WITH locks AS (
    SELECT
        object_type, object_schema, object_name, lock_type, lock_duration, lock_status, owner_event_id, owner_thread_id,
        object_type = 'USER LEVEL LOCK'
            AND object_name LIKE '%ls:%:%'
            AND SUBSTRING_INDEX(object_name, ':', 1) IN ('ls', 'bls')
            AND IFNULL(LENGTH(UNHEX(SUBSTRING_INDEX(SUBSTRING_INDEX(object_name, ':', 2), ':', -1))), 0) = 16 AS is_engines
    FROM performance_schema.metadata_locks
    WHERE lock_status IN ('GRANTED', 'PENDING')
),
few AS (
    SELECT * FROM locks WHERE lock_status = 'PENDING' OR NOT is_engines LIMIT 1000000000
),
waited AS (
    SELECT DISTINCT object_type, object_schema, object_name, is_engines FROM few WHERE lock_status = 'PENDING'
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
FROM (
    SELECT few.*, w.object_type IS NOT NULL AS is_waited
    FROM few
    LEFT JOIN waited AS w
        ON w.object_type = few.object_type
            AND w.object_schema <=> few.object_schema
            AND w.object_name <=> few.object_name
    UNION ALL
    SELECT
        l.object_type, l.object_schema, l.object_name, l.lock_type, l.lock_duration, l.lock_status, l.owner_event_id,
        l.owner_thread_id, 1, 1
    FROM (SELECT object_name FROM waited WHERE is_engines) AS w
    STRAIGHT_JOIN performance_schema.metadata_locks AS l USE INDEX () ON l.object_name = w.object_name
    WHERE l.object_type = 'USER LEVEL LOCK' AND l.lock_status = 'GRANTED'
) AS m
LEFT JOIN performance_schema.threads AS t ON t.thread_id = m.owner_thread_id
WHERE (t.thread_id IS NULL OR t.processlist_id <> CONNECTION_ID())
    AND (m.is_waited
        OR m.lock_duration = 'EXPLICIT'
        OR m.object_type = 'TABLE' AND m.lock_duration = 'TRANSACTION'
            AND m.object_schema NOT IN ('performance_schema', 'information_schema'))
ORDER BY NOT m.is_waited, m.lock_status = 'GRANTED', m.lock_duration <> 'EXPLICIT'
LIMIT :limit
