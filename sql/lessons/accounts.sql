-- SPDX-License-Identifier: MIT
-- Purpose: accounts that may be of runs of lessons, by the beginning of their names.
-- Privileges: SELECT on mysql.user.
-- Parameters: none.
-- Units: none.
SELECT user, host FROM mysql.user WHERE user LIKE 'lockscope\_l\_%'
