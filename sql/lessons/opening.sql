-- SPDX-License-Identifier: MIT
-- Purpose: gives a session of a lesson the server's own settings, which the console's sessions have of their own; the
--          clock is UTC's, so that a lesson means the same everywhere. Who waits has an hour: a class may think for longer than a default allows.
-- Privileges: none.
-- Parameters: none.
-- Units: none.
SET SESSION sql_mode = DEFAULT, innodb_lock_wait_timeout = 3600, lock_wait_timeout = 3600,
    completion_type = DEFAULT, collation_connection = DEFAULT, sql_select_limit = DEFAULT, time_zone = '+00:00'
