-- SPDX-License-Identifier: MIT
-- Purpose: schemas that may be of runs: their names begin so, and they have the runs' own table. Each with whether its run
--          is known to live: it holds a user-level lock of that name, but for the time after a restart of the server.
-- Privileges: none beyond seeing the schemas.
-- Parameters: none.
-- Units: none.
SELECT table_schema, IS_USED_LOCK(table_schema) IS NOT NULL FROM information_schema.tables
WHERE table_schema LIKE 'lockscope\_lab\_%' AND table_name = 'lab_run'
