-- Purpose: a ticket whose turn it is becomes the heir: the ticket moves into the lease row, in one transaction.
--          Does nothing while somebody alive is before us or when we were granted meanwhile.
-- Privileges: SELECT, UPDATE on lock_lease; SELECT, DELETE on lock_waiter.
-- Parameters: resource, slot, presence, place, ttl, owner, note, ticket.
-- Units: ttl in microseconds, NULL = forever.
BEGIN;
UPDATE lock_lease
SET waited = GREATEST(waited, 1), heir_presence = :presence, heir_place = :place, heir_ttl_us = :ttl, heir_owner = :owner,
    heir_note = :note, heir_connection = CONNECTION_ID(), heir_since = UTC_TIMESTAMP(6)
WHERE resource = :resource AND slot = :slot AND presence NOT IN ('-', :presence)
  AND (heir_presence IS NULL OR IS_USED_LOCK(IFNULL(heir_place, '-')) IS NULL)
  AND EXISTS (SELECT 1 FROM lock_waiter m WHERE m.ticket = :ticket)
  AND NOT EXISTS (SELECT 1 FROM lock_waiter w
                  WHERE w.resource = :resource AND w.slot = :slot AND w.ticket < :ticket
                    AND IS_USED_LOCK(w.place) IS NOT NULL);
DELETE FROM lock_waiter WHERE ticket = :ticket AND ROW_COUNT() = 1;
COMMIT
