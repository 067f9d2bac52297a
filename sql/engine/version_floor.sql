-- SPDX-License-Identifier: MIT
-- Purpose: before idle rows go, in the same transaction: new rows start above the versions they had.
-- Privileges: SELECT, UPDATE on lock_meta.
-- Parameters: version.
-- Units: none.
UPDATE lock_meta SET value = GREATEST(value, :version) WHERE name = 'version_floor'
