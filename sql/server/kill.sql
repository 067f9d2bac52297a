-- SPDX-License-Identifier: MIT
-- Purpose: end the session that holds a user-level lock; error 1094 when nobody does. A connection's number alone could
--          be a stranger's by now: after a restart the server begins to count anew.
-- Privileges: none for a session of the same user; CONNECTION ADMIN (MySQL: CONNECTION_ADMIN) for another's.
-- Parameters: name.
-- Units: none.
KILL IFNULL(IS_USED_LOCK(:name), 0)
