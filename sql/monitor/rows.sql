-- SPDX-License-Identifier: MIT
-- Purpose: the row locks of pessimistic mode that are held, with the columns of monitor/list. Needs READ UNCOMMITTED: the
--          holders' names are in transactions that are never committed.
-- Privileges: SELECT on lock_row.
-- Parameters: only (one resource; empty = all); contains, as in monitor/list; limit (rows).
-- Units: times in microseconds since 1970 UTC.
SELECT
    resource,
    0,
    NULL,
    0,
    connection,
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', since),
    NULL,
    NULL,
    RTRIM(owner),
    note,
    NULL
FROM lock_row
WHERE (:only = '' OR resource = :only)
    AND IS_USED_LOCK(RTRIM(IFNULL(presence, '-'))) = connection
    AND {parts/matching}
ORDER BY resource
LIMIT :limit
