-- SPDX-License-Identifier: MIT
-- Purpose: this machine as the server sees it: for an account that can log in from nowhere else.
-- Privileges: none.
-- Parameters: none.
-- Units: none.
SELECT SUBSTRING_INDEX(USER(), '@', -1)
