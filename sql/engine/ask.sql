-- Purpose: after a broken connection: is the lease with this presence in the row? No row = not held.
-- Privileges: SELECT on lock_lease.
-- Parameters: resource, slot, presence.
-- Units: remaining in microseconds, NULL = forever.
SELECT token, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at), expires_at IS NULL FROM lock_lease
WHERE resource = :resource AND slot = :slot AND presence = :presence
