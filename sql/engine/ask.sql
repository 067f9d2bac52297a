-- Purpose: does the row carry this presence? No row = not held. After a wait, and after a broken connection. The last
--          but one column tells whether anybody has, or had, a ticket: then somebody may wait for the asker's place.
--          The last one: released, and kept until its minimum hold time is over.
-- Privileges: SELECT on lock_lease.
-- Parameters: resource, slot, presence.
-- Units: remaining and clock in microseconds; remaining NULL = forever.
SELECT token, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at) AS remaining,
       TIMESTAMPDIFF(MICROSECOND, '2000-01-01', UTC_TIMESTAMP(6)) AS clock, waited > 1 AS others, kept
FROM lock_lease
WHERE resource = :resource AND slot = :slot AND presence = :presence
