-- Purpose: what a monitor needs on top of grants/monitor to see who waits for row locks; without it they are told as
--          unknown. PROCESS shows the statements of all sessions, so it is left to the administrator. It counts from the
--          user's next connection on.
-- Privileges: to be run by an administrator.
-- Parameters: none; the names are examples.
-- Units: none.
GRANT PROCESS ON *.* TO 'lockscope_monitor'@'localhost'
