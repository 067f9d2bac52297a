-- SPDX-License-Identifier: MIT
-- Purpose: the threads that wait for a metadata lock or a user-level lock, by their state; a hundredth of the time that
--          waits/metadata_threads takes where there are very many locks.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: none.
-- Units: none.
SELECT thread_id
FROM performance_schema.threads
WHERE processlist_state = 'User lock' OR processlist_state LIKE 'Waiting for%lock'
