-- Purpose: all that a request needs to know: its own ticket, the nearest living ticket before it, the lease row.
--          In this order: a ticket leaves the queue in the moment in which the row begins to carry its presence, so a
--          ticket that is gone in the first read has left its trace in the last.
-- Privileges: SELECT on lock_lease and lock_waiter.
-- Parameters: resource, slot, place, ticket (0: no ticket, then nobody is before us but the heir).
-- Units: clock, remaining and ttl in microseconds; remaining NULL = forever.
SELECT EXISTS (SELECT 1 FROM lock_waiter WHERE ticket = :ticket), IS_USED_LOCK(:place) IS NOT NULL;
SELECT place, ttl_us FROM lock_waiter
WHERE resource = :resource AND slot = :slot AND ticket < :ticket AND IS_USED_LOCK(place) IS NOT NULL
ORDER BY ticket DESC LIMIT 1;
SELECT NULLIF(l.presence, '-'), l.token, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), l.expires_at), l.kept,
       IS_USED_LOCK(l.presence) IS NOT NULL, l.ttl_us, l.owner,
       IFNULL(l.heir_presence, ''), IFNULL(l.heir_place, ''), l.heir_ttl_us,
       IS_USED_LOCK(IFNULL(l.heir_place, '-')) IS NOT NULL, l.waited,
       TIMESTAMPDIFF(MICROSECOND, '2000-01-01', UTC_TIMESTAMP(6)),
       IS_USED_LOCK(CONCAT('b', l.presence)) IS NOT NULL
FROM lock_lease l WHERE l.resource = :resource AND l.slot = :slot
