-- Purpose: the sessions with these numbers.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: ids (a list), bytes (of a statement).
-- Units: since in microseconds since 1970 UTC, to the second.
SELECT
    processlist_id, processlist_user, processlist_host, processlist_db, processlist_command,
    (TIMESTAMPDIFF(SECOND, '1970-01-01', UTC_TIMESTAMP()) - processlist_time) * 1000000,
    processlist_state,
    LEFT(CAST(processlist_info AS BINARY), :bytes)
FROM performance_schema.threads
WHERE processlist_id IN (:ids)
