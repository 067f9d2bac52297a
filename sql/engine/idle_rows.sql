-- Purpose: a batch of free rows that nobody used for long, in key order after a cursor, with the largest token.
-- Privileges: SELECT on lock_lease.
-- Parameters: cursor, age.
-- Units: age in microseconds.
SELECT resource, slot, token,
       presence = '-' AND waited = 0 AND acquired_at < UTC_TIMESTAMP(6) - INTERVAL :age MICROSECOND
FROM lock_lease WHERE resource > :cursor ORDER BY resource, slot LIMIT 500
