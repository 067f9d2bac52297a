-- Purpose: a waiting request gives up: its ticket, or its place as the heir, goes. One row in the last result means
--          that it was granted meanwhile: the token.
-- Privileges: SELECT, UPDATE on lock_lease; DELETE on lock_waiter.
-- Parameters: resource, slot, presence, ticket.
-- Units: remaining and clock in microseconds; remaining NULL = forever.
DELETE FROM lock_waiter WHERE ticket = :ticket;
UPDATE lock_lease
SET heir_presence = NULL, heir_place = NULL
WHERE resource = :resource AND slot = :slot AND heir_presence = :presence;
SELECT token, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at),
       TIMESTAMPDIFF(MICROSECOND, '2000-01-01', UTC_TIMESTAMP(6)) FROM lock_lease
WHERE resource = :resource AND slot = :slot AND presence = :presence
