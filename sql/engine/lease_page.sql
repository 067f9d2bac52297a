-- SPDX-License-Identifier: MIT
-- Purpose: the next rows in key order after a cursor, held or not, with the columns of monitor/list and behind them
--          whether somebody holds the lease (not one that is only kept for its minimum hold time), and whether its time
--          is up. Reads 500 rows at most, whatever the table's size.
-- Privileges: SELECT on lock_lease.
-- Parameters: cursor and slot (of the last row that was seen), last (the last resource of interest).
-- Units: times in microseconds since 1970 UTC, NULL = none; ttl in microseconds, NULL = forever.
SELECT
    {parts/lease_columns},
    l.presence <> '-' AND l.kept = 0,
    IFNULL(l.expires_at <= UTC_TIMESTAMP(6), 0)
FROM lock_lease AS l
WHERE l.resource <= :last
    AND (l.resource > :cursor OR l.resource = :cursor AND l.slot > :slot)
ORDER BY l.resource, l.slot
LIMIT 500
