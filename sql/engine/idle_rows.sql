-- Purpose: a batch of leases in key order after a cursor, with a mark at those that nobody needs any more: free, or
--          ended by their expiry, for longer than the age, with nobody in the queue. A lease whose holder lives stays:
--          its holder may still renew it.
-- Privileges: SELECT on lock_lease and lock_waiter.
-- Parameters: cursor, age.
-- Units: age in microseconds.
SELECT resource, slot, token,
       IF(presence = '-', acquired_at < UTC_TIMESTAMP(6) - INTERVAL :age MICROSECOND,
          expires_at < UTC_TIMESTAMP(6) - INTERVAL :age MICROSECOND AND (kept = 1 OR IS_USED_LOCK(presence) IS NULL))
       AND (waited = 0
            OR IS_USED_LOCK(IFNULL(heir_place, '-')) IS NULL
               AND NOT EXISTS (SELECT 1 FROM lock_waiter w
                               WHERE w.resource = lock_lease.resource AND w.slot = lock_lease.slot))
FROM lock_lease WHERE resource > :cursor ORDER BY resource, slot LIMIT 500
