-- SPDX-License-Identifier: MIT
-- Purpose: lock those of the rows that nobody holds. When a row was used last is not known, for a holder writes nothing
--          that stays: one in use is made again by its next user, and who tries it in this moment is told that it is busy.
-- Privileges: SELECT, UPDATE on lock_row.
-- Parameters: resources (a list of literals).
-- Units: none.
SELECT resource FROM lock_row WHERE resource IN (:resources) FOR UPDATE SKIP LOCKED
