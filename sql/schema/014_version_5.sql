-- SPDX-License-Identifier: MIT
-- Purpose: brings tables of version 4 to what 002_lock_lease says: the queue lay in a table of its own and in columns of
--          the heir. Changes nothing in tables that have come that far. The old table is left as it is, for to drop it
--          takes a privilege that installing needs for nothing else; engines of the older version fail from here on.
-- Privileges: ALTER on the schema.
-- Parameters: none.
-- Units: none.
SET @step = IF(EXISTS(SELECT 1 FROM information_schema.columns
                      WHERE table_schema = DATABASE() AND table_name = 'lock_lease' AND column_name = 'waited'),
               CONCAT('ALTER TABLE lock_lease DROP COLUMN waited, DROP COLUMN heir_presence, DROP COLUMN heir_place, ',
                      'DROP COLUMN heir_ttl_us, DROP COLUMN heir_owner, DROP COLUMN heir_note, ',
                      'DROP COLUMN heir_connection, DROP COLUMN heir_since, ',
                      'ADD COLUMN arrivals BIGINT UNSIGNED NOT NULL DEFAULT 0, ',
                      'ADD COLUMN queue MEDIUMBLOB NOT NULL DEFAULT ('''')'),
               'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step
