-- SPDX-License-Identifier: MIT
-- Purpose: the sessions with these numbers, and all that wait for a lock or a flush by their state.
-- Privileges: PROCESS; without it only those of the same user.
-- Parameters: ids (a list), bytes (of a statement), others (how many of those that wait; 0 = none), limit (rows; those of
--          the list come first).
-- Units: since in microseconds since 1970 UTC.
SELECT
    id, user, host, db, command,
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) - CAST(time_ms * 1000 AS SIGNED),
    state,
    LEFT(info_binary, :bytes),
    query_id
FROM information_schema.processlist
WHERE id IN (:ids)
    OR :others > 0 AND (state IN ('User lock', 'Waiting for table flush') OR state LIKE 'Waiting for%lock')
ORDER BY id NOT IN (:ids), id
LIMIT :limit
