-- SPDX-License-Identifier: MIT
-- Purpose: whether a connection is still there: until it has gone, its transaction has not ended.
-- Privileges: PROCESS.
-- Parameters: connection.
-- Units: none.
SELECT COUNT(*) FROM information_schema.processlist WHERE id = :connection
