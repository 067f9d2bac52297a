-- SPDX-License-Identifier: MIT
-- Purpose: settings of every session: whatever the server sets for all, a statement means the same.
-- Privileges: none.
-- Parameters: none.
-- Units: time-outs in seconds, max_execution_time in milliseconds; 0 = none.
--
-- Which server it is, is not known yet: each reads its own comment, and what both read is their default.
--   completion_type      CHAIN leaves what is granted next uncommitted, RELEASE ends the session with a COMMIT
--   sql_select_limit     cuts answers short; max_join_size refuses them, but for sql_big_selects
--   div_precision_...    a wait of 250 ms / 1000 would be one of 0, which is no limit
--   unique_checks        off, a unique key may get the same value twice
--   idle_...             a limit for all ends the transaction that holds a row; the row's TTL has a limit of its own
--   max_recursive_...    ends the look for cycles of waiting requests without a word
SET SESSION autocommit = 1, completion_type = 'NO_CHAIN', time_zone = '+00:00',
    sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION', sql_safe_updates = 0, sql_auto_is_null = 0,
    sql_select_limit = 18446744073709551615, sql_big_selects = 1, div_precision_increment = 4, unique_checks = 1,
    innodb_lock_wait_timeout = 1, lock_wait_timeout = 1,
    character_set_client = utf8mb4, character_set_results = utf8mb4, collation_connection = utf8mb4_general_ci
    /*M! , max_statement_time = 0, idle_transaction_timeout = 0, idle_readonly_transaction_timeout = 0,
    idle_write_transaction_timeout = 0, max_recursive_iterations = 100000 */
    /*!80000 , max_execution_time = 0 */
