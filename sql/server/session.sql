-- Purpose: settings of every session, then what the server is.
-- Privileges: none.
-- Parameters: none.
-- Units: time-outs in seconds.
SET SESSION autocommit = 1, time_zone = '+00:00',
    sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION',
    innodb_lock_wait_timeout = 1, lock_wait_timeout = 1;
SELECT CONNECTION_ID(), @@global.log_bin;
SHOW GLOBAL VARIABLES WHERE Variable_name IN
    ('version', 'binlog_format', 'read_only', 'innodb_flush_log_at_trx_commit', 'sync_binlog')
