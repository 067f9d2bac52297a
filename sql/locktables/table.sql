-- SPDX-License-Identifier: MIT
-- Purpose: the engine of a table; no row for a view.
-- Privileges: none; tables that the account may not use are not there.
-- Parameters: schema, table, exact (the same bytes, for names that differ only in case).
-- Units: none.
SELECT ENGINE
FROM information_schema.TABLES
WHERE TABLE_SCHEMA = :schema AND TABLE_NAME = :table AND CAST(TABLE_NAME AS BINARY) = :exact
    AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED')
