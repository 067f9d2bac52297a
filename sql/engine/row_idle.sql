-- SPDX-License-Identifier: MIT
-- Purpose: a new idle limit for the session that holds a row.
-- Privileges: none.
-- Parameters: idle.
-- Units: seconds.
SET SESSION wait_timeout = :idle
