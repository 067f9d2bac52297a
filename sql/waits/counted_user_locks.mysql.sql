-- SPDX-License-Identifier: MIT
-- Purpose: whether the server counts how many user-level locks each thread has, as it does by default: 1.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: none.
-- Units: none.
SELECT
    (SELECT COUNT(*) FROM performance_schema.setup_instruments
        WHERE enabled = 'YES' AND name = 'memory/sql/User_level_lock')
    AND (SELECT COUNT(*) FROM performance_schema.setup_consumers
        WHERE enabled = 'YES' AND name IN ('global_instrumentation', 'thread_instrumentation')) = 2
    AND (SELECT COUNT(*) FROM performance_schema.memory_summary_by_thread_by_event_name WHERE FALSE) = 0
