-- SPDX-License-Identifier: MIT
-- Purpose: brings tables of version 5 to what 001_lock_meta and 004_lock_event say, and writes the floors of a fresh
--          schema. The floors had the column of the schema's version, so whoever raised one could change that too; under
--          their new names no engine of the older version finds them, for it would go on from a floor that stands still.
--          Events had no account. Changes nothing in tables that have come that far.
-- Privileges: ALTER on the schema; INSERT, UPDATE on lock_meta.
-- Parameters: none.
-- Units: none.
SET @step = IF(EXISTS(SELECT 1 FROM information_schema.columns
                      WHERE table_schema = DATABASE() AND table_name = 'lock_meta' AND column_name = 'floor'),
               'DO 0',
               'ALTER TABLE lock_meta ADD COLUMN floor BIGINT UNSIGNED NOT NULL DEFAULT 0');
PREPARE step FROM @step;
EXECUTE step;
UPDATE lock_meta
SET floor = value, name = IF(name = 'token_floor', 'floor_of_tokens', 'floor_of_versions')
WHERE name IN ('token_floor', 'version_floor');
INSERT IGNORE INTO lock_meta (name, value) VALUES ('floor_of_tokens', 0), ('floor_of_versions', 0);
SET @step = IF(EXISTS(SELECT 1 FROM information_schema.columns
                      WHERE table_schema = DATABASE() AND table_name = 'lock_event' AND column_name = 'account'),
               'DO 0',
               CONCAT('ALTER TABLE lock_event ADD COLUMN ',
                      'account VARCHAR(384) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL'));
PREPARE step FROM @step;
EXECUTE step;
ALTER TABLE lock_event ALTER COLUMN account SET DEFAULT (CURRENT_USER());
DEALLOCATE PREPARE step
