-- SPDX-License-Identifier: MIT
-- Purpose: let the row that engine/fence_read has locked remember a larger token.
-- Privileges: SELECT, UPDATE on the caller's table.
-- Parameters: table, key_column, fence_column (identifiers); key, token.
-- Units: none.
UPDATE :table SET :fence_column = :token WHERE :key_column = :key
