-- SPDX-License-Identifier: MIT
-- Purpose: a batch of versions, in key order after a cursor, with a mark at those that nobody changed for long.
-- Privileges: SELECT on lock_version.
-- Parameters: cursor, age.
-- Units: age in microseconds.
SELECT resource, version, updated_at < UTC_TIMESTAMP(6) - INTERVAL :age MICROSECOND
FROM lock_version WHERE resource > :cursor ORDER BY resource LIMIT 500
