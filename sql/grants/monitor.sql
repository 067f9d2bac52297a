-- Purpose: what watching needs: the window read-only, and lockctl list, waiters and events. Who waits for row locks is seen
--          with grants/waiters on top: PROCESS on MariaDB, SELECT on two tables of performance_schema on MySQL.
-- Privileges: to be run by an administrator.
-- Parameters: none; the names are examples.
-- Units: none.
GRANT SELECT ON lockscope.* TO 'lockscope_monitor'@'localhost'
