-- Purpose: the same as waits/victim for a session that had no transaction: the same account, the same user-level lock
--          where it held one, the same statement where it ran one.
-- Privileges: PROCESS; without it only for sessions of the same user.
-- Parameters: session, user, host, lock (a name; NULL = none), statement (its beginning; NULL = any), bytes (of the
--          statement).
-- Units: none.
SELECT IFNULL(MAX(p.id), 0)
INTO @lockscope_victim
FROM information_schema.processlist AS p
WHERE p.id = :session
    AND p.user = :user
    AND LEFT(p.host, CHAR_LENGTH(:host)) = :host
    AND (:lock IS NULL OR IS_USED_LOCK(IFNULL(:lock, '-')) = p.id)
    AND (:statement IS NULL OR LEFT(p.info_binary, :bytes) = :statement)
