-- Purpose: one lock, held or free, with the columns of monitor/list.
-- Privileges: SELECT on lock_lease and lock_waiter.
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
    (SELECT COUNT(*)
        FROM lock_waiter AS w
        WHERE w.resource = l.resource AND w.slot = l.slot AND IS_USED_LOCK(w.place) IS NOT NULL)
    + (IS_USED_LOCK(IFNULL(l.heir_place, '-')) IS NOT NULL)
FROM lock_lease AS l
WHERE l.resource = :resource
    AND l.slot = :slot
    AND l.presence <> '-'
    AND (l.kept = 0 OR l.expires_at > UTC_TIMESTAMP(6))
