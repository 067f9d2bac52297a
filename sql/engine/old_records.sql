-- SPDX-License-Identifier: MIT
-- Purpose: the first and last row of a batch that is older than it needs to be kept, at the low end of the primary key of
--          an append-only table.
-- Privileges: SELECT on the table.
-- Parameters: table, time (identifiers: lock_event, lock_latency or lock_done, and its column); age.
-- Units: age in microseconds.
SELECT MIN(id), MAX(id)
FROM (SELECT id, :time AS at FROM :table ORDER BY id LIMIT 500) AS oldest
WHERE at < UTC_TIMESTAMP(6) - INTERVAL :age MICROSECOND
