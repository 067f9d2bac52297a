-- SPDX-License-Identifier: MIT
-- Purpose: measurements behind a known one, oldest first.
-- Privileges: SELECT on lock_latency.
-- Parameters: after (id), limit (rows).
-- Units: at in microseconds since 1970 UTC, sum_us and max_us in microseconds.
SELECT id, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', at), mode, kind, outcome, sum_us, max_us, buckets,
       owner, prefix
FROM lock_latency WHERE id > :after ORDER BY id LIMIT :limit
