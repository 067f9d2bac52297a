-- SPDX-License-Identifier: MIT
-- Purpose: is this user-level lock held?
-- Privileges: none.
-- Parameters: name.
-- Units: none.
SELECT IS_USED_LOCK(:name) IS NOT NULL
