-- SPDX-License-Identifier: MIT
-- Purpose: what lockctl init needs, once and at upgrades.
-- Privileges: to be run by an administrator.
-- Parameters: none; the names are examples.
-- Units: none.
GRANT CREATE, ALTER, SELECT, INSERT, UPDATE ON lockscope.* TO 'lockscope_installer'@'localhost'
