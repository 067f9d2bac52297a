-- SPDX-License-Identifier: MIT
-- Purpose: frees it by its number, so only our own.
-- Privileges: DELETE on lab_lock.
-- Parameters: id.
-- Units: none.
DELETE FROM lab_lock WHERE id = :id
