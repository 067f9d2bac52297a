-- Purpose: does the row carry this presence? No row = not held. After a wait, and after a broken connection.
-- Privileges: SELECT on lock_lease.
-- Parameters: resource, slot, presence.
-- Units: remaining and clock in microseconds; remaining NULL = forever.
SELECT token, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at),
       TIMESTAMPDIFF(MICROSECOND, '2000-01-01', UTC_TIMESTAMP(6)) FROM lock_lease
WHERE resource = :resource AND slot = :slot AND presence = :presence
