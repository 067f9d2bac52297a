-- SPDX-License-Identifier: MIT
-- Purpose: waits for whoever holds a lock on a table, for one second: meanwhile, and only then, the server tells whose these
--          locks are.
-- Privileges: those of lessons/make.
-- Parameters: table (with its schema).
-- Units: seconds.
SET SESSION autocommit = 0, innodb_table_locks = 1, innodb_lock_wait_timeout = 1, lock_wait_timeout = 1;
LOCK TABLES :table WRITE
