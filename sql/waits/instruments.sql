-- SPDX-License-Identifier: MIT
-- Purpose: whether metadata locks, last statements, states of XA transactions and the statements before the last are kept;
--          error 1142 says that the user may not know.
-- Privileges: SELECT on performance_schema.
-- Parameters: none.
-- Units: none.
SELECT enabled FROM performance_schema.setup_instruments WHERE name = 'wait/lock/metadata/sql/mdl';
SELECT COUNT(*) FROM performance_schema.setup_consumers
    WHERE enabled = 'YES'
        AND name IN ('global_instrumentation', 'thread_instrumentation', 'events_statements_current');
SELECT COUNT(*) FROM performance_schema.setup_consumers AS c, performance_schema.setup_instruments AS i
    WHERE c.enabled = 'YES'
        AND c.name IN ('global_instrumentation', 'thread_instrumentation', 'events_transactions_current')
        AND i.enabled = 'YES'
        AND i.name = 'transaction';
SELECT COUNT(*) FROM performance_schema.metadata_locks AS m
    JOIN performance_schema.threads AS t ON t.thread_id = m.owner_thread_id
    WHERE FALSE;
SELECT COUNT(*) FROM performance_schema.setup_consumers WHERE enabled = 'YES' AND name = 'events_statements_history'
