-- SPDX-License-Identifier: MIT
-- Purpose: the open transactions with these numbers, and those of these sessions; columns as in waits/transactions.
-- Privileges: PROCESS; error 1227 without.
-- Parameters: ids, sessions (lists).
-- Units: times in microseconds since 1970 UTC, to the second.
SELECT
    trx_id,
    trx_mysql_thread_id,
    trx_state,
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', CONVERT_TZ(trx_started, 'SYSTEM', @@session.time_zone)),
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', CONVERT_TZ(trx_wait_started, 'SYSTEM', @@session.time_zone)),
    trx_rows_locked,
    trx_rows_modified,
    trx_requested_lock_id
FROM information_schema.innodb_trx
WHERE trx_id IN (:ids) OR trx_mysql_thread_id IN (:sessions)
