-- SPDX-License-Identifier: MIT
-- Purpose: the last statement of each of these sessions, its number there, whether it runs still, its error or 0, and how long
--          it took.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: ids (a list), bytes (of a statement).
-- Units: microseconds; 0 where that is not told.
SELECT t.processlist_id, LEFT(CAST(s.sql_text AS BINARY), :bytes), s.event_id, s.end_event_id IS NULL, s.mysql_errno,
    IFNULL(s.timer_wait, 0) DIV 1000000
FROM performance_schema.threads AS t
JOIN performance_schema.events_statements_current AS s ON s.thread_id = t.thread_id
WHERE t.processlist_id IN (:ids) AND IFNULL(s.nesting_event_type, '') <> 'STATEMENT'
