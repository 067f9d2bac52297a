-- SPDX-License-Identifier: MIT
-- Purpose: how many tables a scan would go over, and the connection's own schema. Opens none of them.
-- Privileges: none; tables that the account may not use are not there.
-- Parameters: none.
-- Units: none.
SELECT COUNT(*), DATABASE()
FROM information_schema.TABLES
WHERE TABLE_SCHEMA NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')
