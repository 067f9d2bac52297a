-- Purpose: the last statement of each of these sessions, whether it runs still or not.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: ids (a list), bytes (of a statement).
-- Units: none.
SELECT t.processlist_id, LEFT(s.sql_text, :bytes)
FROM performance_schema.threads AS t
JOIN performance_schema.events_statements_current AS s ON s.thread_id = t.thread_id
WHERE t.processlist_id IN (:ids) AND IFNULL(s.nesting_event_type, '') <> 'STATEMENT'
