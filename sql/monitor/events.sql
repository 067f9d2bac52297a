-- SPDX-License-Identifier: MIT
-- Purpose: the newest events after a known one, of all locks or of one, oldest first.
-- Privileges: SELECT on lock_event.
-- Parameters: only (one resource; empty = all), slot (of that one), after (id), limit (rows).
-- Units: at in microseconds since 1970 UTC.
SELECT id, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', at), kind, resource, slot, token, owner, operator, reason, account
FROM (
    SELECT id, at, kind, resource, slot, token, owner, operator, reason, account
    FROM lock_event
    WHERE id > :after AND (:only = '' OR resource = :only AND slot = :slot)
    ORDER BY id DESC
    LIMIT :limit
) AS newest
ORDER BY id
