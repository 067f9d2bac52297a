-- SPDX-License-Identifier: MIT
-- Purpose: where the next part of lock_lease ends, which has about so many rows, and how many of its leases are not free.
--          All slots of a resource are in one part. Goes by the primary key.
-- Privileges: SELECT on lock_lease.
-- Parameters: after (the last resource of the part before), contains (as in monitor/list), rows (of a part).
-- Units: none. First the part's last resource, NULL = it is the table's last part.
SET @upto = (SELECT l.resource FROM lock_lease AS l WHERE l.resource > :after ORDER BY l.resource LIMIT 1 OFFSET :rows);
SELECT
    @upto,
    (SELECT COUNT(*)
     FROM lock_lease AS l
     WHERE l.resource > :after
         AND l.resource <= IFNULL(@upto, REPEAT(X'FF', 255))
         AND {parts/lease_shown})
