-- SPDX-License-Identifier: MIT
-- Purpose: the resources of leases, and whose they are, by the user-level locks that engines hold for them; and the queues,
--          in whose lines are the names of those that wait.
-- Privileges: SELECT on lock_lease.
-- Parameters: names (a list).
-- Units: none.
SELECT presence, resource, owner, queue FROM lock_lease WHERE presence IN (:names)
UNION ALL
SELECT '', resource, NULL, queue FROM lock_lease WHERE queue <> '' AND presence NOT IN (:names)
