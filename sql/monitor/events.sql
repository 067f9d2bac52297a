-- SPDX-License-Identifier: MIT
-- Purpose: the newest events after a known one, oldest first.
-- Privileges: SELECT on lock_event.
-- Parameters: after (id), limit (rows).
-- Units: at in microseconds since 1970 UTC.
SELECT id, at_us, kind, resource, slot, token, owner, operator, reason
FROM (
    SELECT
        id,
        TIMESTAMPDIFF(MICROSECOND, '1970-01-01', at) AS at_us,
        kind,
        resource,
        slot,
        token,
        owner,
        operator,
        reason
    FROM lock_event
    WHERE id > :after
    ORDER BY id DESC
    LIMIT :limit
) AS newest
ORDER BY id
