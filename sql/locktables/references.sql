-- SPDX-License-Identifier: MIT
-- Purpose: foreign keys that reference a table: whose they are, what they do on DELETE and UPDATE, and by which column.
-- Privileges: none; foreign keys of tables that the account may not use are not there.
-- Parameters: schema, table.
-- Units: none.
SELECT r.CONSTRAINT_SCHEMA, r.TABLE_NAME, r.DELETE_RULE, r.UPDATE_RULE, k.REFERENCED_COLUMN_NAME
FROM information_schema.REFERENTIAL_CONSTRAINTS AS r
LEFT JOIN information_schema.KEY_COLUMN_USAGE AS k
    ON k.CONSTRAINT_SCHEMA = r.CONSTRAINT_SCHEMA AND k.TABLE_NAME = r.TABLE_NAME
    AND k.CONSTRAINT_NAME = r.CONSTRAINT_NAME AND k.REFERENCED_TABLE_NAME IS NOT NULL
WHERE r.UNIQUE_CONSTRAINT_SCHEMA = :schema AND r.REFERENCED_TABLE_NAME = :table
LIMIT 1000
