-- SPDX-License-Identifier: MIT
-- Purpose: does this account see a table of this schema? SCHEMATA would also name one of which it sees none, to who may
-- SHOW DATABASES or has any right in it.
-- Privileges: none.
-- Parameters: schema.
-- Units: none.
SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = :schema LIMIT 1
