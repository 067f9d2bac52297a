-- SPDX-License-Identifier: MIT
-- Purpose: does this session live? By its user-level lock: the number alone could be a stranger's after a restart.
-- Privileges: none.
-- Parameters: name, connection.
-- Units: none.
SELECT IS_USED_LOCK(:name) <=> :connection
