-- Purpose: after a broken connection: did the ticket get into the queue?
-- Privileges: SELECT on lock_waiter.
-- Parameters: resource, slot, presence.
-- Units: none.
SELECT ticket FROM lock_waiter WHERE resource = :resource AND slot = :slot AND presence = :presence
