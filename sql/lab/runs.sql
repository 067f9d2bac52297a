-- SPDX-License-Identifier: MIT
-- Purpose: schemas that runs made, each with whether its run still lives: it holds a user-level lock of that name.
-- Privileges: none beyond seeing the schemas.
-- Parameters: none.
-- Units: none.
SELECT schema_name, IS_USED_LOCK(schema_name) IS NOT NULL FROM information_schema.schemata
WHERE schema_name LIKE 'lockscope\_lab\_%'
