-- SPDX-License-Identifier: MIT
-- Purpose: whether a prepared transaction is the one that a person chose and has no session, as @lockscope_prepared: 1 it
--          is, 0 it is not, -1 when the list of transactions is old. Behind waits/target_snapshot.
-- Privileges: PROCESS.
-- Parameters: transaction, started (microseconds since 1970 UTC).
-- Units: none.
SELECT IF(
    (SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_mysql_thread_id = CONNECTION_ID()) = 0,
    -1,
    COUNT(*))
INTO @lockscope_prepared
FROM information_schema.innodb_trx
WHERE trx_id = :transaction
    AND trx_mysql_thread_id = 0
    AND TIMESTAMPDIFF(MICROSECOND, '1970-01-01',
        CONVERT_TZ(trx_started, 'SYSTEM', @@session.time_zone)) = :started
