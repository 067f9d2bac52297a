-- SPDX-License-Identifier: MIT
-- Purpose: granted metadata locks and user-level locks, from the plugin METADATA_LOCK_INFO; it tells no waiters.
-- Privileges: none.
-- Parameters: held (the column with the time that a lock is held, NULL where this version has none), limit (rows).
-- Units: held in milliseconds.
--
-- The locks by which engines tell that they live, one for each lease, come last.
SELECT lock_mode, lock_type, table_schema, table_name, thread_id, :held
FROM information_schema.metadata_lock_info
WHERE thread_id <> CONNECTION_ID()
ORDER BY table_schema REGEXP '^b?ls:[0-9a-f]{32}:'
LIMIT :limit
