-- SPDX-License-Identifier: MIT
-- Purpose: the row locks that a transaction holds, and its locks on whole tables; columns as in waits/row_locks.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: transaction, limit (rows).
-- Units: none.
--
-- By the number of the transaction data_locks is read through a key: 2.5 ms beside a million locks of another one. The server
-- still walks over all of this one's, so it is not asked for where there are many.
SELECT
    engine_lock_id, lock_type, object_schema, object_name, index_name, lock_mode, LEFT(lock_data, 256)
FROM performance_schema.data_locks
WHERE engine_transaction_id = :transaction
    AND engine = 'INNODB'
    AND lock_status = 'GRANTED'
    AND lock_mode NOT IN ('IS', 'IX')
LIMIT :limit
