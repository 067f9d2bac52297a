-- SPDX-License-Identifier: MIT
-- Purpose: let the server read and resolve a statement once for the whole session. It waits for nobody who changes the
--          table just then: it fails, and the statement is sent as it is.
-- Privileges: those of the statement.
-- Parameters: name, sql (with a ? for each value).
-- Units: none.
SET STATEMENT lock_wait_timeout = 0 FOR PREPARE :name FROM :sql
