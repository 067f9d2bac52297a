-- SPDX-License-Identifier: MIT
-- Purpose: whether the chosen session still holds a metadata lock or a user-level lock, the one that it took then.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: type, schema, name (NULL where the server has none), event (at which it was asked for; NULL = any).
-- Units: none.
SELECT IFNULL(MAX(t.processlist_id), LEAST(@lockscope_target, 0))
INTO @lockscope_target
FROM performance_schema.threads AS t
JOIN performance_schema.metadata_locks AS m ON m.owner_thread_id = t.thread_id
WHERE t.processlist_id = @lockscope_target
    AND m.lock_status = 'GRANTED'
    AND m.object_type = :type
    AND IFNULL(m.object_schema, '') = :schema
    AND CAST(IFNULL(m.object_name, '') AS BINARY) = :name
    AND (:event IS NULL OR m.owner_event_id = :event)
