-- Purpose: the first in the queue takes a free or expired row by compare-and-swap on the token it saw. Exactly one
--          wins: one changed row in the first result, LAST_INSERT_ID = the new token. A takeover leaves an event. An heir who
--          does not take an expired lease for its grace, or anybody with a ticket for theirs, is passed over: frozen.
-- Privileges: SELECT, UPDATE on lock_lease; SELECT, DELETE on lock_waiter; INSERT on lock_event.
-- Parameters: resource, slot, token, presence, ttl, owner, note, ticket, before (tickets below it go first),
--             takeover (1: write the event), old_owner, heir_grace, ticket_grace.
-- Units: ttl and graces in microseconds, ttl NULL = forever.
UPDATE lock_lease
SET presence = :presence, token = LAST_INSERT_ID(token + 1), kept = 0,
    acquired_at = UTC_TIMESTAMP(6), expires_at = UTC_TIMESTAMP(6) + INTERVAL :ttl MICROSECOND,
    ttl_us = :ttl, owner = :owner, note = :note,
    heir_presence = NULL, heir_place = NULL
WHERE resource = :resource AND slot = :slot AND token = :token
  AND (presence = '-' OR expires_at <= UTC_TIMESTAMP(6))
  AND (heir_presence IS NULL OR heir_presence = :presence OR IS_USED_LOCK(IFNULL(heir_place, '-')) IS NULL
       OR presence <> '-' AND expires_at <= UTC_TIMESTAMP(6) - INTERVAL :heir_grace MICROSECOND)
  AND (presence <> '-' AND expires_at <= UTC_TIMESTAMP(6) - INTERVAL :ticket_grace MICROSECOND
       OR NOT EXISTS (SELECT 1 FROM lock_waiter w
                      WHERE w.resource = :resource AND w.slot = :slot AND w.ticket < :before
                        AND IS_USED_LOCK(w.place) IS NOT NULL));
SET @claimed = ROW_COUNT();
DELETE FROM lock_waiter WHERE ticket = :ticket AND @claimed = 1;
INSERT INTO lock_event (at, kind, resource, slot, token, owner, reason)
SELECT UTC_TIMESTAMP(6), 'takeover', :resource, :slot, :token, :old_owner, 'the lease had expired'
FROM DUAL WHERE @claimed = 1 AND :takeover = 1
