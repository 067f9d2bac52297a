-- SPDX-License-Identifier: MIT
-- Purpose: the floor that tokens of new rows start above.
-- Privileges: INSERT on lock_meta.
-- Parameters: none.
-- Units: none.
INSERT IGNORE INTO lock_meta (name, value) VALUES ('token_floor', 0)
