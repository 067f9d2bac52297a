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
WHERE presence <> '-'
    AND (kept = 0 OR expires_at > UTC_TIMESTAMP(6))
    AND (:contains = ''
        OR INSTR(LOWER(CONVERT(resource USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0
        OR INSTR(LOWER(CONVERT(IFNULL(owner, '') USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0
        OR INSTR(LOWER(CONVERT(IFNULL(note, '') USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0)
GROUP BY 1, 2, 3
