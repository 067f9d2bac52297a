-- SPDX-License-Identifier: MIT
-- Purpose: lock the row; error 1969 when the time is over. No row = it was cleaned up.
-- Privileges: SELECT, UPDATE on lock_row.
-- Parameters: resource, milliseconds.
-- Units: milliseconds, 0 = no limit.
SET STATEMENT max_statement_time = :milliseconds / 1000 FOR
SELECT resource FROM lock_row WHERE resource = :resource FOR UPDATE
