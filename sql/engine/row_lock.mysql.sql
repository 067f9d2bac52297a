-- SPDX-License-Identifier: MIT
-- Purpose: lock the row; error 3024 when the time is over. No row = it was cleaned up.
-- Privileges: SELECT, UPDATE on lock_row.
-- Parameters: resource, milliseconds.
-- Units: milliseconds, 0 = no limit.
SELECT /*+ MAX_EXECUTION_TIME(:milliseconds) */ resource FROM lock_row WHERE resource = :resource FOR UPDATE
