-- Purpose: whether a session is still the one that a person chose: the same account and the same transaction, and where
--          it runs something, the same statement. @lockscope_victim is then its number, else 0, or -1 when the list of
--          transactions is old; no session has these numbers.
-- Privileges: PROCESS.
-- Parameters: session, user, host, transaction, started (microseconds since 1970 UTC), statement (its beginning; NULL =
--          any), bytes (of the statement).
-- Units: none.
SELECT IF(
    (SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_mysql_thread_id = CONNECTION_ID()) = 0,
    -1,
    IFNULL(MAX(p.id), 0))
INTO @lockscope_victim
FROM information_schema.processlist AS p
JOIN information_schema.innodb_trx AS t ON t.trx_mysql_thread_id = p.id
WHERE p.id = :session
    AND p.user = :user
    AND LEFT(p.host, CHAR_LENGTH(:host)) = :host
    AND t.trx_id = :transaction
    AND TIMESTAMPDIFF(MICROSECOND, '1970-01-01',
        CONVERT_TZ(t.trx_started, 'SYSTEM', @@session.time_zone)) = :started
    AND (:statement IS NULL OR LEFT(CAST(p.info AS BINARY), :bytes) = :statement)
