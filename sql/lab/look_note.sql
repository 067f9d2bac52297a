-- SPDX-License-Identifier: MIT
-- Purpose: is it taken?
-- Privileges: SELECT on lab_note.
-- Parameters: resource.
-- Units: none.
SELECT COUNT(*) FROM lab_note WHERE resource = :resource
