-- SPDX-License-Identifier: MIT
-- Purpose: the same under REPEATABLE READ, the servers' default, where rows that are not there are locked as gaps.
-- Privileges: none.
-- Parameters: seconds.
-- Units: whole seconds, at least 1.
SET SESSION innodb_lock_wait_timeout = :seconds;
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
BEGIN
