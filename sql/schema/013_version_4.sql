-- SPDX-License-Identifier: MIT
-- Purpose: brings tables of version 3 or older to what 002_lock_lease and 008_lock_latency say: a free lease had no
--          presence and the time of its release, measurements had no prefix. Changes nothing in tables that have come
--          that far. The servers have no ALTER that both know to skip, hence the prepared statements.
-- Privileges: UPDATE on lock_lease, ALTER on the schema.
-- Parameters: none.
-- Units: none.
UPDATE lock_lease SET presence = '-' WHERE presence IS NULL;
SET @step = IF(EXISTS(SELECT 1 FROM information_schema.columns
                      WHERE table_schema = DATABASE() AND table_name = 'lock_lease' AND column_name = 'released_at'),
               CONCAT('ALTER TABLE lock_lease DROP COLUMN released_at, ',
                      'MODIFY presence CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT ''-'''),
               'DO 0');
PREPARE step FROM @step;
EXECUTE step;
SET @step = IF(EXISTS(SELECT 1 FROM information_schema.columns
                      WHERE table_schema = DATABASE() AND table_name = 'lock_latency' AND column_name = 'prefix'),
               'DO 0',
               'ALTER TABLE lock_latency ADD COLUMN prefix VARBINARY(255) NOT NULL DEFAULT '''' AFTER owner');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step
