-- Purpose: remove a batch of tickets whose process is gone. A minute's grace lets a process that only lost its
--          connection take its place again.
-- Privileges: SELECT, DELETE on lock_waiter.
-- Parameters: age.
-- Units: age in microseconds.
DELETE FROM lock_waiter
WHERE since < UTC_TIMESTAMP(6) - INTERVAL :age MICROSECOND AND IS_USED_LOCK(place) IS NULL
ORDER BY ticket LIMIT 100
