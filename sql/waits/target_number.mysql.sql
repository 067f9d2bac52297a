-- SPDX-License-Identifier: MIT
-- Purpose: whether the statement that the chosen session runs or ran last is the same one.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: number (event_id).
-- Units: none.
SELECT IFNULL(MAX(t.processlist_id), LEAST(@lockscope_target, 0))
INTO @lockscope_target
FROM performance_schema.threads AS t
JOIN performance_schema.events_statements_current AS s ON s.thread_id = t.thread_id
WHERE t.processlist_id = @lockscope_target AND s.event_id = :number
