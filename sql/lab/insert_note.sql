-- SPDX-License-Identifier: MIT
-- Purpose: takes it, in the belief that it is still as it was a moment ago.
-- Privileges: INSERT on lab_note.
-- Parameters: resource.
-- Units: none.
INSERT INTO lab_note (resource) VALUES (:resource)
