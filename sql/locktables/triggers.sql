-- SPDX-License-Identifier: MIT
-- Purpose: triggers of a table, and on which statements they run.
-- Privileges: TRIGGER on the table; without it none is there.
-- Parameters: schema, table.
-- Units: none.
SELECT TRIGGER_NAME, EVENT_MANIPULATION
FROM information_schema.TRIGGERS
WHERE EVENT_OBJECT_SCHEMA = :schema AND EVENT_OBJECT_TABLE = :table
