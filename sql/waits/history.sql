-- SPDX-License-Identifier: MIT
-- Purpose: the statements that these sessions have ended, each one's in their order; those of its transaction alone where
--          the server keeps track of that, which the last column tells.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: ids (a list), bytes (of a statement).
-- Units: none.
--
-- A transaction that a statement began has the number of an event within it.
SELECT
    t.processlist_id, t.thread_id, s.event_id, IFNULL(s.end_event_id, s.event_id), s.event_name,
    LEFT(CAST(s.sql_text AS BINARY), :bytes),
    x.event_id IS NOT NULL
FROM performance_schema.threads AS t
JOIN performance_schema.events_statements_history AS s ON s.thread_id = t.thread_id
LEFT JOIN performance_schema.events_transactions_current AS x ON x.thread_id = t.thread_id AND x.state = 'ACTIVE'
WHERE t.processlist_id IN (:ids)
    AND s.sql_text IS NOT NULL
    AND IFNULL(s.nesting_event_type, '') <> 'STATEMENT'
    AND s.event_id >= IFNULL(IF(x.nesting_event_type = 'STATEMENT', x.nesting_event_id, x.event_id), 0)
ORDER BY t.thread_id, s.event_id
