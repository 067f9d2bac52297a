-- SPDX-License-Identifier: MIT
-- Purpose: what a monitor needs on top of grants/monitor, or alone on a server without lock tables, to see the locks that
--          the server itself keeps and who waits for them; without it they are shown as unknown. PROCESS shows the
--          statements of all sessions, so it is left to the administrator. It takes effect at the user's next
--          connection.
--          MySQL shows the names of prepared transactions only with this as well, which reaches further still:
--          GRANT XA_RECOVER_ADMIN ON *.* TO 'lockscope_monitor'@'localhost'
-- Privileges: to be run by an administrator.
-- Parameters: none; the names are examples.
-- Units: none.
GRANT PROCESS ON *.* TO 'lockscope_monitor'@'localhost';
GRANT SELECT ON performance_schema.* TO 'lockscope_monitor'@'localhost'
