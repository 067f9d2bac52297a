-- SPDX-License-Identifier: MIT
-- Purpose: every lock that is not free, those with a queue first, or one of them.
-- Privileges: SELECT on lock_lease.
-- Parameters: only (one resource; empty = all), slot (of that one), contains (bytes to find in resource, owner or note,
--          ASCII case folded; empty = all), limit (rows).
-- Units: times in microseconds since 1970 UTC, NULL = none; ttl in microseconds, NULL = forever.
--
-- A lease kept for its minimum time is free once that time is over.
-- latin1 takes any byte, so the case-folding comparison cannot fail on names that are not text.
SELECT
    l.resource,
    l.slot,
    l.token,
    l.kept,
    IS_USED_LOCK(l.presence),
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', l.acquired_at),
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', l.expires_at),
    l.ttl_us,
    l.owner,
    l.note,
    l.queue
FROM lock_lease AS l
WHERE l.presence <> '-'
    AND (l.kept = 0 OR l.expires_at > UTC_TIMESTAMP(6))
    AND (:only = '' OR l.resource = :only AND l.slot = :slot)
    AND (:contains = ''
        OR INSTR(LOWER(CONVERT(l.resource USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0
        OR INSTR(LOWER(CONVERT(IFNULL(l.owner, '') USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0
        OR INSTR(LOWER(CONVERT(IFNULL(l.note, '') USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0)
ORDER BY l.queue = '', l.resource, l.slot
LIMIT :limit
