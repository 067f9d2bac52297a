-- SPDX-License-Identifier: MIT
-- Purpose: whose were the last versions of a resource? After a connection broke while a commit was under way.
-- Privileges: SELECT on lock_version.
-- Parameters: resource.
-- Units: none.
SELECT version, commits FROM lock_version WHERE resource = :resource
