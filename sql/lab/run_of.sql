-- SPDX-License-Identifier: MIT
-- Purpose: whose run a schema is of.
-- Privileges: SELECT on lab_run of that schema.
-- Parameters: table.
-- Units: none.
SELECT host, pid, boot FROM :table
