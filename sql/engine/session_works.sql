-- SPDX-License-Identifier: MIT
-- Purpose: is the server at work on a statement of this session? One that it has answered is idle. By its user-level
--          lock: the number alone could be a stranger's after a restart.
-- Privileges: none for an own session.
-- Parameters: name.
-- Units: none.
SELECT 1 FROM information_schema.processlist WHERE id = IS_USED_LOCK(:name) AND command <> 'Sleep'
