-- SPDX-License-Identifier: MIT
-- Purpose: who waits for a row of lock_row, by InnoDB's own account, in the order of the waits; nothing of other tables.
-- Privileges: PROCESS; error 1227 without.
-- Parameters: none.
-- Units: since in microseconds since 1970 UTC, to the second.
--
-- First: whether the server keeps account at all; it always does.
--
-- Each waiting transaction names the one lock that it waits for, so the blockers, of which n waiters have n * (n + 1) / 2,
-- need not be read. InnoDB fills these tables anew only when nobody has read them for 0.1 s. Their times are in the server's
-- own zone, whatever that of the session is.
SELECT TRUE;
SELECT
    UNHEX(SUBSTRING(l.lock_data, 3)) AS resource,
    t.trx_mysql_thread_id AS connection,
    CONCAT(p.user, '@', p.host) AS account,
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', CONVERT_TZ(t.trx_wait_started, 'SYSTEM', @@session.time_zone)) AS since
FROM information_schema.innodb_trx AS t
JOIN information_schema.innodb_locks AS l ON l.lock_id = t.trx_requested_lock_id
LEFT JOIN information_schema.processlist AS p ON p.id = t.trx_mysql_thread_id
WHERE t.trx_state = 'LOCK WAIT'
    AND l.lock_table = CONCAT('`', REPLACE(DATABASE(), '`', '``'), '`.`lock_row`')
    AND l.lock_data LIKE '0x%'
ORDER BY t.trx_wait_started, t.trx_id
