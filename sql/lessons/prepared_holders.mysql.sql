-- SPDX-License-Identifier: MIT
-- Purpose: transactions without a session that hold a lock in a run's schema.
-- Privileges: PROCESS, SELECT on performance_schema.
-- Parameters: schema.
-- Units: none.
SELECT DISTINCT l.engine_transaction_id
FROM performance_schema.data_locks l
JOIN information_schema.innodb_trx t ON t.trx_id = l.engine_transaction_id
WHERE t.trx_mysql_thread_id = 0 AND l.object_schema = :schema
