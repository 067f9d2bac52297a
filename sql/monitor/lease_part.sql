-- SPDX-License-Identifier: MIT
-- Purpose: leases that are not free within a part of the table, in key order after a cursor, with the columns of
--          monitor/list and a digest: see monitor/lease_digests. Goes by the primary key, whatever the table's size.
-- Privileges: SELECT on lock_lease.
-- Parameters: after and slot (of the last one that was read), upto (the part's last resource), since (only those that
--          were granted then or later; NULL = all), contains (as in monitor/list), limit (rows).
-- Units: times in microseconds since 1970 UTC, NULL = none; ttl in microseconds, NULL = forever.
SELECT
    {parts/lease_columns},
    {parts/lease_digest}
FROM lock_lease AS l
WHERE l.resource <= :upto
    AND (l.resource > :after OR l.resource = :after AND l.slot > :slot)
    AND {parts/lease_shown}
    AND (:since IS NULL OR l.acquired_at >= '1970-01-01' + INTERVAL :since MICROSECOND)
ORDER BY l.resource, l.slot
LIMIT :limit
