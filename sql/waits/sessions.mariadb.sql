-- Purpose: the sessions with these numbers, and all that wait for a metadata lock or a user-level lock.
-- Privileges: PROCESS; without it only those of the same user.
-- Parameters: ids (a list), bytes (of a statement), limit (rows; those of the list come first).
-- Units: since in microseconds since 1970 UTC.
SELECT
    id, user, host, db, command,
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) - CAST(time_ms * 1000 AS SIGNED),
    state,
    LEFT(info_binary, :bytes),
    query_id
FROM information_schema.processlist
WHERE id IN (:ids) OR state = 'User lock' OR state LIKE 'Waiting for%'
ORDER BY id NOT IN (:ids), id
LIMIT :limit
