-- SPDX-License-Identifier: MIT
-- Purpose: what the locks are that somebody waits for, and whose; nobody's where they are granted by now.
-- Privileges: PROCESS, SELECT on performance_schema; error 1142 without.
-- Parameters: limit (rows).
-- Units: none.
--
-- data_locks is read by its primary key only, once for each lock that is waited for.
SELECT
    l.engine_lock_id, l.lock_type, l.object_schema, l.object_name, l.index_name, l.lock_mode, LEFT(l.lock_data, 256),
    IF(l.lock_status = 'WAITING', w.trx_id, NULL)
FROM (
    SELECT trx_id, trx_requested_lock_id
    FROM information_schema.innodb_trx
    WHERE trx_requested_lock_id IS NOT NULL
    LIMIT :limit
) AS w
STRAIGHT_JOIN performance_schema.data_locks AS l ON l.engine_lock_id = w.trx_requested_lock_id AND l.engine = 'INNODB'
