-- SPDX-License-Identifier: MIT
-- Purpose: the open transactions that wait, the longest wait first, and those that do not, of these the ones that changed
--          something first, then the oldest.
-- Privileges: PROCESS; error 1227 without.
-- Parameters: limit (rows, of either).
-- Units: times in microseconds since 1970 UTC, to the second.
--
-- InnoDB tells times in the server's own zone, whatever that of the session is.
SELECT * FROM (
    SELECT
        trx_id,
        trx_mysql_thread_id,
        trx_state,
        TIMESTAMPDIFF(MICROSECOND, '1970-01-01', CONVERT_TZ(trx_started, 'SYSTEM', @@session.time_zone)),
        TIMESTAMPDIFF(MICROSECOND, '1970-01-01', CONVERT_TZ(trx_wait_started, 'SYSTEM', @@session.time_zone)),
        trx_rows_locked,
        trx_rows_modified,
        trx_requested_lock_id,
        ROW_NUMBER() OVER (
            PARTITION BY trx_state = 'LOCK WAIT'
            ORDER BY trx_state = 'RUNNING', trx_rows_locked + trx_rows_modified = 0, trx_wait_started, trx_started, trx_id
        ) AS place
    FROM information_schema.innodb_trx
    WHERE trx_mysql_thread_id <> CONNECTION_ID()
) AS t
WHERE place <= :limit
