-- SPDX-License-Identifier: MIT
-- Purpose: lock one row that is free, of those named; no row = all are taken.
-- Privileges: SELECT, UPDATE on lock_row.
-- Parameters: resources (a list of literals).
-- Units: none.
SELECT resource FROM lock_row WHERE resource IN (:resources) ORDER BY resource LIMIT 1 FOR UPDATE SKIP LOCKED
