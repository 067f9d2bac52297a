-- SPDX-License-Identifier: MIT
-- Purpose: what the server is.
-- Privileges: none.
-- Parameters: none.
-- Units: none.
SELECT CONNECTION_ID(), @@global.log_bin, CURRENT_USER();
SHOW GLOBAL VARIABLES WHERE Variable_name IN
    ('version', 'binlog_format', 'read_only', 'innodb_flush_log_at_trx_commit', 'sync_binlog', 'hostname', 'port',
    'socket', 'server_uuid', 'server_uid')
