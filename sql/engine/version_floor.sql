-- SPDX-License-Identifier: MIT
-- Purpose: before idle rows go, in the same transaction: new rows start above the versions they had.
-- Privileges: SELECT on lock_meta, UPDATE on its column floor.
-- Parameters: version.
-- Units: none.
UPDATE lock_meta SET floor = GREATEST(floor, :version) WHERE name = 'floor_of_versions'
