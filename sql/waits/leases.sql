-- Purpose: the resources of leases and queues by the user-level locks that engines hold for them.
-- Privileges: SELECT on lock_lease and lock_waiter.
-- Parameters: names (a list).
-- Units: none.
SELECT presence, resource FROM lock_lease WHERE presence IN (:names)
UNION
SELECT CONCAT('b', presence), resource FROM lock_lease WHERE CONCAT('b', presence) IN (:names)
UNION
SELECT heir_place, resource FROM lock_lease WHERE heir_place IN (:names)
UNION
SELECT place, resource FROM lock_waiter WHERE place IN (:names)
