-- SPDX-License-Identifier: MIT
-- Purpose: how many deadlocks there were since the server started, to read their text only when there is a new one.
-- Privileges: none.
-- Parameters: none.
-- Units: none.
SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks'
