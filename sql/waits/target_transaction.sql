-- SPDX-License-Identifier: MIT
-- Purpose: whether the chosen session is in the same transaction; -1 when the list of transactions is old.
-- Privileges: PROCESS.
-- Parameters: transaction, started (microseconds since 1970 UTC).
-- Units: none.
SELECT IF(
    (SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_mysql_thread_id = CONNECTION_ID()) = 0,
    -1,
    IFNULL(MAX(trx_mysql_thread_id), 0))
INTO @lockscope_target
FROM information_schema.innodb_trx
WHERE trx_mysql_thread_id = @lockscope_target
    AND trx_id = :transaction
    AND TIMESTAMPDIFF(MICROSECOND, '1970-01-01',
        CONVERT_TZ(trx_started, 'SYSTEM', @@session.time_zone)) = :started
