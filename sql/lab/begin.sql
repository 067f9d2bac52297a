-- SPDX-License-Identifier: MIT
-- Purpose: begin a transaction of a way without the engine, waiting for rows as long as the budget says.
-- Privileges: none.
-- Parameters: seconds.
-- Units: whole seconds, at least 1.
SET SESSION innodb_lock_wait_timeout = :seconds;
BEGIN
