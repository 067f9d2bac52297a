-- SPDX-License-Identifier: MIT
-- Purpose: what removing old events needs (lockctl events --remove-older-than), and nothing else: accounts that write
--          events cannot remove them.
-- Privileges: to be run by an administrator.
-- Parameters: none; the names are examples.
-- Units: none.
GRANT SELECT, DELETE ON lockscope.lock_event TO 'lockscope_retention'@'localhost'
