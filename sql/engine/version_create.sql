-- SPDX-License-Identifier: MIT
-- Purpose: make the row of a resource that has none. One autocommit statement, so no gap stays locked; the floor is read
--          under a lock, so a clean-up that removes the row meanwhile cannot make a version repeat.
-- Privileges: SELECT on lock_meta, INSERT on lock_version.
-- Parameters: resource.
-- Units: none.
INSERT IGNORE INTO lock_version (resource, version, updated_at, commits)
SELECT :resource, floor + 1, UTC_TIMESTAMP(6), '' FROM lock_meta WHERE name = 'floor_of_versions' LOCK IN SHARE MODE
