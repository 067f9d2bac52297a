-- Purpose: the resources of leases and queues, and whose they are, by the user-level locks that engines hold for them.
-- Privileges: SELECT on lock_lease and lock_waiter.
-- Parameters: names (a list).
-- Units: none.
SELECT presence, resource, owner FROM lock_lease WHERE presence IN (:names)
UNION ALL
SELECT CONCAT('b', presence), resource, owner FROM lock_lease WHERE CONCAT('b', presence) IN (:names)
UNION ALL
SELECT heir_place, resource, heir_owner FROM lock_lease WHERE heir_place IN (:names)
UNION ALL
SELECT place, resource, owner FROM lock_waiter WHERE place IN (:names)
