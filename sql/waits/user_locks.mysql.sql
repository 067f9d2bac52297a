-- SPDX-License-Identifier: MIT
-- Purpose: user-level locks, those that somebody waits for first, with the columns of waits/metadata.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: all (1: of all threads), threads (a list: of these alone), limit (rows).
-- Units: none.
--
-- Those by which engines tell that they live, one for each lease, are left out but for sessions that wait for one; who holds
-- it is told by waits/metadata_names. The index of this schema by threads passes over a lock of another one in a fifth of
-- the time that the one by kinds takes; compared by LIKE, the kind is not looked up in that one instead.
SELECT
    {parts/metadata_columns}
FROM (
    SELECT
        object_type, object_schema, object_name, lock_type, lock_duration, lock_status, owner_event_id, owner_thread_id,
        MAX(lock_status = 'PENDING') OVER (PARTITION BY object_name) AS is_waited
    FROM performance_schema.metadata_locks
    WHERE (:all OR owner_thread_id IN (:threads))
        AND object_type LIKE 'USER LEVEL%'
        AND lock_status IN ('GRANTED', 'PENDING')
        AND ({parts/unlike_engines} OR lock_status = 'PENDING')
) AS m
LEFT JOIN performance_schema.threads AS t ON t.thread_id = m.owner_thread_id
WHERE t.thread_id IS NULL OR t.processlist_id <> CONNECTION_ID()
ORDER BY m.is_waited DESC, m.lock_status = 'GRANTED'
LIMIT :limit
