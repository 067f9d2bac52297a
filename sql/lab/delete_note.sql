-- SPDX-License-Identifier: MIT
-- Purpose: frees our own row.
-- Privileges: DELETE on lab_note.
-- Parameters: id.
-- Units: none.
DELETE FROM lab_note WHERE id = :id
