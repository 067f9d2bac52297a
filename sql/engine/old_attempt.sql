-- SPDX-License-Identifier: MIT
-- Purpose: a batch of resources that were not counted for longer than they need to be kept, in the order of the key.
-- Privileges: SELECT on lock_attempt.
-- Parameters: age.
-- Units: age in microseconds.
SELECT resource
FROM (
    SELECT resource FROM lock_attempt WHERE updated_at < UTC_TIMESTAMP(6) - INTERVAL :age MICROSECOND
    ORDER BY updated_at LIMIT 500
) AS oldest
ORDER BY resource
