-- SPDX-License-Identifier: MIT
-- Purpose: who holds the user-level locks of some names, with the columns of waits/metadata.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: names (a list).
-- Units: none.
--
-- For each name the index of this schema is a search through all of it; and to compare them as text takes twice as long.
SELECT
    object_type,
    object_schema,
    object_name,
    lock_type,
    lock_duration,
    0,
    t.processlist_id,
    owner_event_id,
    owner_thread_id
FROM performance_schema.metadata_locks USE INDEX ()
LEFT JOIN performance_schema.threads AS t ON t.thread_id = owner_thread_id
WHERE CAST(object_name AS BINARY) IN (:names)
    AND object_type = 'USER LEVEL LOCK'
    AND lock_status = 'GRANTED'
