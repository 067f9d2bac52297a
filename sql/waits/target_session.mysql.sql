-- SPDX-License-Identifier: MIT
-- Purpose: whether the chosen session is of the same account and, where asked, at the same statement, or idle, since
--          then.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: user, host, since (microseconds since 1970 UTC; NULL = any), statement (its beginning; NULL = any), bytes
--          (of that beginning).
-- Units: none.
SELECT IFNULL(MAX(processlist_id), LEAST(@lockscope_target, 0))
INTO @lockscope_target
FROM performance_schema.threads
WHERE processlist_id = @lockscope_target
    AND processlist_user = :user
    AND IFNULL(processlist_host, '') = :host
    AND (:since IS NULL
        OR ABS((TIMESTAMPDIFF(SECOND, '1970-01-01', UTC_TIMESTAMP()) - processlist_time) * 1000000 - :since)
            <= 1000000)
    AND (:statement IS NULL OR LEFT(CAST(processlist_info AS BINARY), :bytes) = :statement)
