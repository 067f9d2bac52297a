-- SPDX-License-Identifier: MIT
-- Purpose: the version of the installed lock tables.
-- Privileges: SELECT on lock_meta.
-- Parameters: none.
-- Units: none.
SELECT value FROM lock_meta WHERE name = 'schema_version'
