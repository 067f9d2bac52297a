-- Purpose: the queue of one lock in order: the heir, then the tickets; dead ones have no connection.
-- Privileges: SELECT on lock_lease and lock_waiter.
-- Parameters: resource, slot.
-- Units: times in microseconds since 1970 UTC; ttl in microseconds, NULL = forever.
SELECT
    0 AS ticket,
    IS_USED_LOCK(IFNULL(heir_place, '-')),
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', heir_since),
    heir_ttl_us,
    heir_owner,
    heir_note
FROM lock_lease
WHERE resource = :resource AND slot = :slot AND heir_place IS NOT NULL
UNION ALL
SELECT
    ticket,
    IS_USED_LOCK(place),
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', since),
    ttl_us,
    owner,
    note
FROM lock_waiter
WHERE resource = :resource AND slot = :slot
ORDER BY ticket
