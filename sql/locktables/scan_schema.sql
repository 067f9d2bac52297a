-- SPDX-License-Identifier: MIT
-- Purpose: the same as locktables/scan in one schema, whose name keeps MariaDB from opening the tables of the others.
-- Privileges: none; columns that the account may not use are not there.
-- Parameters: columns (names in small letters), schema, limit (rows).
-- Units: none.
SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME
FROM information_schema.COLUMNS
WHERE TABLE_SCHEMA = :schema AND LOWER(COLUMN_NAME) IN (:columns)
LIMIT :limit
