-- SPDX-License-Identifier: MIT
-- Purpose: what the server is and since when it runs.
-- Privileges: none.
-- Parameters: none.
-- Units: uptime in seconds.
SELECT @@hostname, @@port, @@version, @@version_comment, @@read_only, @@performance_schema, @@basedir,
    TIMESTAMPDIFF(SECOND, '1970-01-01', UTC_TIMESTAMP());
SHOW GLOBAL STATUS WHERE Variable_name IN ('Uptime', 'Slaves_running', 'wsrep_ready');
SELECT routine_name FROM information_schema.routines
    WHERE routine_schema = 'mysql'
        AND routine_name IN ('rds_kill', 'rds_kill_query', 'az_kill', 'az_kill_query');
SELECT me.grantee, p.privilege_type
FROM (
    SELECT CONCAT(QUOTE(LEFT(account, CHAR_LENGTH(account) - CHAR_LENGTH(host) - 1)), '@', QUOTE(host)) AS grantee
    FROM (SELECT CURRENT_USER() AS account, SUBSTRING_INDEX(CURRENT_USER(), '@', -1) AS host) AS a
) AS me
LEFT JOIN information_schema.user_privileges AS p ON p.grantee = me.grantee;
SELECT plugin_name FROM information_schema.plugins
    WHERE plugin_status = 'ACTIVE' AND plugin_name IN ('METADATA_LOCK_INFO', 'group_replication');
SELECT COUNT(*) FROM information_schema.columns
    WHERE table_schema = 'information_schema' AND table_name = 'METADATA_LOCK_INFO' AND column_name = 'LOCK_TIME_MS';
SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'lock_row'
