-- SPDX-License-Identifier: MIT
-- Purpose: how many locks there are in each state, for when the list was cut; the same rows as monitor/list.
-- Privileges: SELECT on lock_lease.
-- Parameters: contains, as in monitor/list.
-- Units: none.
SELECT
    kept,
    IS_USED_LOCK(presence) IS NOT NULL AS alive,
    expires_at IS NOT NULL AND expires_at <= UTC_TIMESTAMP(6) AS past,
    COUNT(*)
FROM lock_lease
WHERE {parts/lease_shown}
GROUP BY 1, 2, 3
