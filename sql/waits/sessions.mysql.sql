-- SPDX-License-Identifier: MIT
-- Purpose: the sessions with these numbers, and all that wait for a lock or a flush by their state.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: ids (a list), bytes (of a statement), others (how many of those that wait; 0 = none), limit (rows; those of
--          the list come first).
-- Units: since in microseconds since 1970 UTC, to the second.
--
-- What an event runs has the user of the scheduler here, and the same command; only the thread's name tells them apart.
SELECT
    processlist_id, processlist_user, processlist_host, processlist_db,
    IF(name = 'thread/sql/event_worker', 'Event', processlist_command),
    (TIMESTAMPDIFF(SECOND, '1970-01-01', UTC_TIMESTAMP()) - processlist_time) * 1000000,
    processlist_state,
    LEFT(CAST(processlist_info AS BINARY), :bytes)
FROM performance_schema.threads
WHERE processlist_id IN (:ids)
    OR :others > 0
        AND processlist_id IS NOT NULL
        AND (processlist_state IN ('User lock', 'Waiting for table flush') OR processlist_state LIKE 'Waiting for%lock')
ORDER BY processlist_id NOT IN (:ids), processlist_id
LIMIT :limit
