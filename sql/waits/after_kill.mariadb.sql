-- Purpose: what is left of a session that was ended.
-- Privileges: PROCESS; without it only for sessions of the same user.
-- Parameters: session, bytes (of its statement).
-- Units: none.
SELECT command, LEFT(p.info_binary, :bytes) FROM information_schema.processlist AS p WHERE id = :session
