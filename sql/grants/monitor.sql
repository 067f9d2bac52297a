-- SPDX-License-Identifier: MIT
-- Purpose: what watching needs: the window read-only, and lockctl list, waiters and events. Who waits for row locks, and
--          the locks that the server itself keeps, are seen with grants/waits on top.
-- Privileges: to be run by an administrator.
-- Parameters: none; the names are examples.
-- Units: none.
GRANT SELECT ON lockscope.* TO 'lockscope_monitor'@'localhost'
