-- SPDX-License-Identifier: MIT
-- Purpose: how the entries of a lesson's indexes are read: rows that are not committed too, without a lock, and without
--          a long wait for a table whose definition is locked.
-- Privileges: none.
-- Parameters: none.
-- Units: seconds.
SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED;
SET SESSION lock_wait_timeout = 1
