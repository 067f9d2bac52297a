-- SPDX-License-Identifier: MIT
-- Purpose: of each of some threads the name of one user-level lock, the first that is found; NULL: it has none any more.
-- Privileges: SELECT on performance_schema.
-- Parameters: threads (a list).
-- Units: none.
--
-- Compared by LIKE, the kind is not looked up in an index instead of the thread.
SELECT t.thread_id, (
    SELECT m.object_name
    FROM performance_schema.metadata_locks AS m
    WHERE m.owner_thread_id = t.thread_id AND m.object_type LIKE 'USER LEVEL%'
    LIMIT 1)
FROM performance_schema.threads AS t
WHERE t.thread_id IN (:threads)
