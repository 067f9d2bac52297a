-- SPDX-License-Identifier: MIT
-- Purpose: every lock that is not free, those with a queue first, or one of them.
-- Privileges: SELECT on lock_lease.
-- Parameters: only (one resource; empty = all), slot (of that one), contains (bytes to find in resource, owner or note,
--          ASCII case folded; empty = all), limit (rows).
-- Units: times in microseconds since 1970 UTC, NULL = none; ttl in microseconds, NULL = forever.
SELECT
    {parts/lease_columns}
FROM lock_lease AS l
WHERE {parts/lease_shown}
    AND (:only = '' OR l.resource = :only AND l.slot = :slot)
ORDER BY l.queue = '', l.resource, l.slot
LIMIT :limit
