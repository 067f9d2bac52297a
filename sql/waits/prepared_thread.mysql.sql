-- SPDX-License-Identifier: MIT
-- Purpose: the thread that took the locks of a transaction, be it gone.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: transaction.
-- Units: none.
--
-- Of a lock on a table: where a waiter made a holder's row lock explicit, that one has the waiter's thread. The server walks
-- over all locks of the transaction, so it is not asked for where there are many.
SELECT thread_id
FROM performance_schema.data_locks
WHERE engine_transaction_id = :transaction AND engine = 'INNODB' AND lock_type = 'TABLE'
LIMIT 1
