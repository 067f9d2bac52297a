-- Purpose: brings a lock_lease of version 3 or older, where a free lease had no presence and the time of its release, to
--          that of 002_lock_lease. Changes nothing in one that is there already. Neither server has a DROP COLUMN that
--          both know to skip, hence the prepared statement.
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
DEALLOCATE PREPARE step
