-- SPDX-License-Identifier: MIT
-- Purpose: gives a session of a lesson the server's own settings, which the console's sessions have of their own; the
--          clock is UTC's, so that a lesson means the same everywhere.
-- Privileges: none.
-- Parameters: none.
-- Units: none.
SET SESSION sql_mode = DEFAULT, innodb_lock_wait_timeout = DEFAULT, lock_wait_timeout = DEFAULT,
    completion_type = DEFAULT, collation_connection = DEFAULT, sql_select_limit = DEFAULT, time_zone = '+00:00'
