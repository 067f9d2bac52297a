-- SPDX-License-Identifier: MIT
-- Purpose: a batch of rows of pessimistic mode, in key order after a cursor, with a mark at those that were made long ago.
-- Privileges: SELECT on lock_row.
-- Parameters: cursor, age.
-- Units: age in microseconds.
SELECT resource, made_at <= UTC_TIMESTAMP(6) - INTERVAL :age MICROSECOND
FROM lock_row WHERE resource > :cursor ORDER BY resource LIMIT 500
