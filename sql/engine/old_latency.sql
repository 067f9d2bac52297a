-- Purpose: the first and last row of a batch that is older than it needs to be kept, at the low end of the primary key.
-- Privileges: SELECT on lock_latency.
-- Parameters: age.
-- Units: age in microseconds.
SELECT MIN(id), MAX(id)
FROM (SELECT id, at FROM lock_latency ORDER BY id LIMIT 500) AS oldest
WHERE at < UTC_TIMESTAMP(6) - INTERVAL :age MICROSECOND
