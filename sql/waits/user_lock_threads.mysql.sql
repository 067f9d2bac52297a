-- SPDX-License-Identifier: MIT
-- Purpose: the threads that have user-level locks, wait for one or do not tell; and those that wait for a kind of lock that
--          is read only where somebody does.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: none.
-- Units: none.
--
-- What a thread's locks take of memory tells that it has some, whatever their number: to go through 100,000 of them takes a
-- hundred times as long. Each counts two; the table that a thread keeps them in counts one, or none. What was locked while
-- the server did not count stays untold.
SELECT
    t.thread_id,
    IFNULL(t.processlist_state, '') = 'User lock' OR t.instrumented = 'NO',
    IFNULL(t.processlist_state, '') LIKE 'Waiting for%lock'
        AND t.processlist_state NOT IN (
            'Waiting for table metadata lock', 'Waiting for global read lock', 'Waiting for backup lock',
            'Waiting for table level lock'),
    IFNULL(m.current_count_used > 1, 0)
FROM performance_schema.threads AS t
LEFT JOIN performance_schema.memory_summary_by_thread_by_event_name AS m
    ON m.thread_id = t.thread_id AND m.event_name = 'memory/sql/User_level_lock'
WHERE t.processlist_id IS NOT NULL
    AND t.processlist_id <> CONNECTION_ID()
    AND (m.current_count_used > 1
        OR t.instrumented = 'NO'
        OR t.processlist_state = 'User lock'
        OR t.processlist_state LIKE 'Waiting for%lock')
