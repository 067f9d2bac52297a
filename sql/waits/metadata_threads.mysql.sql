-- SPDX-License-Identifier: MIT
-- Purpose: the threads that have more than the locks by which engines tell that they live, of which there may be very many;
--          who waits is told by waits/metadata_waiting. Each further column of that table costs as much again as to go
--          through it.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: none.
-- Units: none.
SELECT DISTINCT owner_thread_id
FROM performance_schema.metadata_locks USE INDEX ()
WHERE {parts/unlike_engines}
