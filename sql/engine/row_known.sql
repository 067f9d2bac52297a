-- SPDX-License-Identifier: MIT
-- Purpose: which of these rows are there; reads past locks. Making a row that is there and locked would wait for it.
-- Privileges: SELECT on lock_row.
-- Parameters: resources (a list of literals).
-- Units: none.
SELECT resource FROM lock_row WHERE resource IN (:resources)
