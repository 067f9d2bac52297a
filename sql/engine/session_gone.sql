-- SPDX-License-Identifier: MIT
-- Purpose: does the server still know this connection? After KILL its statement may run for a moment.
-- Privileges: none for an own connection.
-- Parameters: connection.
-- Units: none.
SELECT 1 FROM information_schema.processlist WHERE id = :connection
