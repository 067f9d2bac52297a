-- Purpose: end a session that took its mark; error 1094 when the number is not that session's any more.
-- Privileges: none for a session of the same user.
-- Parameters: mark, connection.
-- Units: none.
KILL IF(IS_USED_LOCK(CONCAT(:mark, :connection)) = :connection, :connection, 0)
