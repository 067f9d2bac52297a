-- SPDX-License-Identifier: MIT
-- Purpose: who waits for a row of lock_row, by InnoDB's own account, in the order of the waits; nothing of other tables.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: none.
-- Units: since in microseconds since 1970 UTC, to the second.
--
-- First: whether the server keeps account at all; it does not without its performance schema.
--
-- data_locks is read by its key on the table's name, never whole. A lock that waits was made by the thread that waits, which
-- cannot be said of one that is held. information_schema.innodb_trx would need PROCESS, and is old when many read it.
SELECT @@performance_schema;
SELECT
    UNHEX(SUBSTRING(l.lock_data, 3)) AS resource,
    t.processlist_id AS connection,
    CONCAT(t.processlist_user, '@', t.processlist_host) AS account,
    (TIMESTAMPDIFF(SECOND, '1970-01-01', UTC_TIMESTAMP()) - t.processlist_time) * 1000000 AS since
FROM performance_schema.data_locks AS l
STRAIGHT_JOIN performance_schema.threads AS t ON t.thread_id = l.thread_id
WHERE l.object_schema = DATABASE()
    AND l.object_name = 'lock_row'
    AND l.lock_status = 'WAITING'
    AND l.lock_data LIKE '0x%'
ORDER BY t.processlist_time DESC, l.engine_transaction_id
