-- SPDX-License-Identifier: MIT
-- Purpose: remove one idle version unless somebody committed since it was read.
-- Privileges: SELECT, DELETE on lock_version.
-- Parameters: resource, version.
-- Units: none.
DELETE FROM lock_version WHERE resource = :resource AND version = :version
