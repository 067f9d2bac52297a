-- SPDX-License-Identifier: MIT
-- Purpose: a session that only looks, or waits for its use, stays while a person thinks, whatever the server's own limit is.
-- Privileges: none.
-- Parameters: none.
-- Units: seconds.
SET SESSION wait_timeout = 604800
