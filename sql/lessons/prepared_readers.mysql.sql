-- SPDX-License-Identifier: MIT
-- Purpose: threads that have gone and left a lock on the definition of a table in a run's schema: only a prepared
--          transaction stays without its thread, and one that has read alone has no other lock.
-- Privileges: SELECT on performance_schema.
-- Parameters: schema.
-- Units: none.
SELECT DISTINCT m.owner_thread_id
FROM performance_schema.metadata_locks m
LEFT JOIN performance_schema.threads t ON t.thread_id = m.owner_thread_id
WHERE m.object_schema = :schema AND m.lock_status = 'GRANTED' AND t.thread_id IS NULL
