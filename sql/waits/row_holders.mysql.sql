-- SPDX-License-Identifier: MIT
-- Purpose: the same as row_holders of MariaDB.
-- Privileges: PROCESS, SELECT on performance_schema; error 1142 without.
-- Parameters: limit (edges).
-- Units: none.
SELECT
    w.requesting_engine_transaction_id,
    MAX(w.blocking_engine_transaction_id),
    MIN(w.requesting_engine_lock_id),
    COUNT(*)
FROM performance_schema.data_lock_waits AS w
LEFT JOIN (
    SELECT DISTINCT trx_requested_lock_id AS id
    FROM information_schema.innodb_trx
    WHERE trx_requested_lock_id IS NOT NULL
) AS q ON q.id = w.blocking_engine_lock_id
WHERE w.engine = 'INNODB'
GROUP BY w.requesting_engine_transaction_id, IF(q.id IS NULL, w.blocking_engine_transaction_id, 0)
LIMIT :limit
