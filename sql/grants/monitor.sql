-- Purpose: what watching needs: the window read-only, and lockctl list, waiters and events.
-- Privileges: to be run by an administrator.
-- Parameters: none; the names are examples.
-- Units: none.
GRANT SELECT ON lockscope.* TO 'lockscope_monitor'@'localhost'
