-- SPDX-License-Identifier: MIT
-- Purpose: take a place in the line for the lease's row, for a moment; error 3024 when that is over.
-- Privileges: SELECT, UPDATE on lock_lease.
-- Parameters: resource, slot, milliseconds.
-- Units: milliseconds.
SELECT /*+ MAX_EXECUTION_TIME(:milliseconds) */ token FROM lock_lease
WHERE resource = :resource AND slot = :slot FOR UPDATE
