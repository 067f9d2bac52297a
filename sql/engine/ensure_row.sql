-- Purpose: a queue whose lease row was cleaned up meanwhile gets a free row again, marked as waited for.
-- Privileges: SELECT on lock_meta, INSERT on lock_lease.
-- Parameters: resource, slot.
-- Units: none.
INSERT IGNORE INTO lock_lease (resource, slot, token, waited, acquired_at)
SELECT :resource, :slot, value, 2, UTC_TIMESTAMP(6) FROM lock_meta WHERE name = 'token_floor' LOCK IN SHARE MODE
