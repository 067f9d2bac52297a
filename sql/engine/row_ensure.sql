-- Purpose: make the row of a pessimistic lock, in a transaction of its own: locking a missing row takes gap locks.
-- Privileges: INSERT on lock_row.
-- Parameters: resource.
-- Units: none.
INSERT IGNORE INTO lock_row (resource, made_at) VALUES (:resource, UTC_TIMESTAMP(6))
