-- SPDX-License-Identifier: MIT
-- Purpose: the leases of some resources that are not free, as in monitor/lease_part. Goes by the primary key.
-- Privileges: SELECT on lock_lease.
-- Parameters: names (of the resources), contains (as in monitor/list).
-- Units: as in monitor/lease_part.
SELECT
    {parts/lease_columns},
    {parts/lease_digest}
FROM lock_lease AS l
WHERE l.resource IN (:names)
    AND {parts/lease_shown}
