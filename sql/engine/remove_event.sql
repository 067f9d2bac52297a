-- Purpose: remove such a batch. Every cleaner goes the same way along the primary key, so none deadlocks with another.
-- Privileges: SELECT, DELETE on lock_event.
-- Parameters: first, last, age.
-- Units: age in microseconds.
DELETE FROM lock_event
WHERE id BETWEEN :first AND :last AND at < UTC_TIMESTAMP(6) - INTERVAL :age MICROSECOND
ORDER BY id LIMIT 500
