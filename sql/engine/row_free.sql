-- SPDX-License-Identifier: MIT
-- Purpose: end the transaction without a write, and give the session its usual settings back.
-- Privileges: none.
-- Parameters: none.
-- Units: seconds.
ROLLBACK;
SET SESSION autocommit = 1, innodb_lock_wait_timeout = 1, wait_timeout = @@global.wait_timeout
