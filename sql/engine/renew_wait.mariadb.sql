-- SPDX-License-Identifier: MIT
-- Purpose: take a place in the line for the lease's row, for a moment; error 1969 when that is over.
-- Privileges: SELECT, UPDATE on lock_lease.
-- Parameters: resource, slot, milliseconds.
-- Units: milliseconds.
SET STATEMENT max_statement_time = :milliseconds / 1000 FOR
SELECT token FROM lock_lease WHERE resource = :resource AND slot = :slot FOR UPDATE
