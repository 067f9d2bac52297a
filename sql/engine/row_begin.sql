-- SPDX-License-Identifier: MIT
-- Purpose: let the next statement begin the transaction that holds a row, and let nothing commit by itself from here on:
--          what the caller sends after a deadlock, or after a COMMIT of its own, is without the row and is undone with
--          what is left. A wait for the row has its limit in its own statement; the idle limit is the TTL: a session that
--          is cut off or frozen for longer is ended by the server.
-- Privileges: none.
-- Parameters: idle, row_wait.
-- Units: seconds.
SET SESSION autocommit = 0, innodb_lock_wait_timeout = :row_wait, wait_timeout = :idle
