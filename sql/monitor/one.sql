-- SPDX-License-Identifier: MIT
-- Purpose: one lock, held or free, with the columns of monitor/list.
-- Privileges: SELECT on lock_lease.
-- Parameters: resource, slot.
-- Units: times in microseconds since 1970 UTC, NULL = none; ttl in microseconds, NULL = forever.
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
WHERE l.resource = :resource
    AND l.slot = :slot
    AND l.presence <> '-'
    AND (l.kept = 0 OR l.expires_at > UTC_TIMESTAMP(6))
