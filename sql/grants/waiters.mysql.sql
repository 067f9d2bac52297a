-- Purpose: what a monitor needs on top of grants/monitor to see who waits for row locks; without it they are told as
--          unknown. These tables show the statements of all sessions, so it is left to the administrator.
-- Privileges: to be run by an administrator.
-- Parameters: none; the names are examples.
-- Units: none.
GRANT SELECT ON performance_schema.data_locks TO 'lockscope_monitor'@'localhost';
GRANT SELECT ON performance_schema.threads TO 'lockscope_monitor'@'localhost'
