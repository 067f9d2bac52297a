-- SPDX-License-Identifier: MIT
-- Purpose: the resources of optimistic mode that were tried in the last ten minutes, the latest first, with their versions
--          where they are in the engine's own table. Goes by the index on updated_at, or by the key where one is named.
-- Privileges: SELECT on lock_attempt and lock_version.
-- Parameters: only (one resource; empty = all), contains (bytes to find in the resource, as in monitor/list), limit (rows).
-- Units: times in microseconds since 1970 UTC, NULL = none.
SELECT
    a.resource,
    v.version,
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', v.updated_at),
    a.commits,
    a.conflicts,
    a.retries,
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', a.first_at),
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', a.updated_at)
FROM lock_attempt AS a
LEFT JOIN lock_version AS v ON v.resource = a.resource
WHERE a.updated_at > UTC_TIMESTAMP(6) - INTERVAL 10 MINUTE
    AND (:only = '' OR a.resource = :only)
    AND (:contains = ''
        OR INSTR(LOWER(CONVERT(a.resource USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0)
ORDER BY a.updated_at DESC, a.resource DESC
LIMIT :limit
