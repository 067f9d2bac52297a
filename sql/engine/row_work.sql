-- SPDX-License-Identifier: MIT
-- Purpose: let the caller's own statements in a row's transaction wait, and take, as long as those of any session. The
--          engine's own limits are none for the row, and one second for a table that is being altered.
-- Privileges: none.
-- Parameters: none.
-- Units: seconds.
SET SESSION innodb_lock_wait_timeout = @@global.innodb_lock_wait_timeout,
    lock_wait_timeout = @@global.lock_wait_timeout
    /*M! , max_statement_time = @@global.max_statement_time */
    /*!80000 , max_execution_time = @@global.max_execution_time */
