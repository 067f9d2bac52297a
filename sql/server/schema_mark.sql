-- SPDX-License-Identifier: MIT
-- Purpose: record the version of the lock tables, never a smaller one.
-- Privileges: INSERT, UPDATE on lock_meta.
-- Parameters: version.
-- Units: none.
INSERT INTO lock_meta (name, value) VALUES ('schema_version', :version)
    ON DUPLICATE KEY UPDATE value = GREATEST(value, :version)
