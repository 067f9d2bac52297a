-- SPDX-License-Identifier: MIT
-- Purpose: the same as waits/target_lock from the plugin METADATA_LOCK_INFO, which tells for how long a lock is held.
-- Privileges: none.
-- Parameters: type (the plugin's without "metadata lock" or "lock"), schema, name, held (as in waits/metadata_plugin),
--          since (microseconds since 1970 UTC; NULL = any).
-- Units: held in milliseconds.
SELECT IFNULL(MAX(thread_id), LEAST(@lockscope_target, 0))
INTO @lockscope_target
FROM information_schema.metadata_lock_info
WHERE thread_id = @lockscope_target
    AND UPPER(SUBSTRING_INDEX(SUBSTRING_INDEX(lock_type, ' metadata', 1), ' lock', 1)) = :type
    AND CAST(IFNULL(table_schema, '') AS BINARY) = :schema
    AND CAST(IFNULL(table_name, '') AS BINARY) = :name
    AND (:since IS NULL
        OR ABS(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) - CAST(:held * 1000 AS SIGNED) - :since) <= 1000000)
