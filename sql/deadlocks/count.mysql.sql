-- SPDX-License-Identifier: MIT
-- Purpose: how many deadlocks there were since the server started, to read their text only when there is a new one. No
-- row where an operator switched the counter off.
-- Privileges: PROCESS; error 1227 without.
-- Parameters: none.
-- Units: none.
SELECT name, `COUNT` FROM information_schema.innodb_metrics WHERE name = 'lock_deadlocks' AND status = 'enabled'
