-- SPDX-License-Identifier: MIT
-- Purpose: transactions without a session that hold a lock in a run's schema, as long as somebody waits for it.
-- Privileges: PROCESS.
-- Parameters: schema.
-- Units: none.
SELECT DISTINCT l.lock_trx_id
FROM information_schema.innodb_locks l
JOIN information_schema.innodb_trx t ON t.trx_id = l.lock_trx_id
WHERE t.trx_mysql_thread_id = 0 AND TRIM(BOTH '`' FROM SUBSTRING_INDEX(l.lock_table, '.', 1)) = :schema
