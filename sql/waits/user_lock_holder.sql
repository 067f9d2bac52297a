-- SPDX-License-Identifier: MIT
-- Purpose: the session that holds a user-level lock; NULL when nobody does. Takes nothing.
-- Privileges: none.
-- Parameters: name.
-- Units: none.
SELECT IS_USED_LOCK(:name)
