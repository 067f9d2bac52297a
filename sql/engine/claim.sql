-- SPDX-License-Identifier: MIT
-- Purpose: take a lease that has expired, by compare-and-swap on the token that was seen. Exactly one wins: one
--          changed row in the first result, LAST_INSERT_ID = the new token. A takeover leaves an event. It is for the
--          first in the queue; one behind it takes it once those before have overslept their grace, and they keep their
--          places.
-- Privileges: SELECT, UPDATE on lock_lease; INSERT on lock_event.
-- Parameters: resource, slot, token, presence, ttl, owner, note, queued_grace (how long it belongs to those
--             before us), takeover (1: write the event), old_owner.
-- Units: ttl and grace in microseconds, ttl NULL = forever.
UPDATE lock_lease
SET token = LAST_INSERT_ID(token + 1), kept = 0,
    acquired_at = UTC_TIMESTAMP(6), expires_at = UTC_TIMESTAMP(6) + INTERVAL :ttl MICROSECOND,
    ttl_us = :ttl, owner = :owner, note = :note,
    queue = IF(LOCATE(CONCAT(:presence, '\t'), queue) = 0, queue,
               CONCAT(SUBSTRING_INDEX(queue, CONCAT(:presence, '\t'), 1),
                      SUBSTRING(queue, LOCATE('\n', queue, LOCATE(CONCAT(:presence, '\t'), queue)) + 1))),
    presence = :presence
WHERE resource = :resource AND slot = :slot AND token = :token
  AND expires_at <= UTC_TIMESTAMP(6)
      - INTERVAL IF(queue = '' OR LOCATE(CONCAT(:presence, '\t'), queue) = 1, 0, :queued_grace) MICROSECOND
  AND presence <> '-';
SET @claimed = ROW_COUNT();
INSERT INTO lock_event (at, kind, resource, slot, token, owner, reason)
SELECT UTC_TIMESTAMP(6), 'takeover', :resource, :slot, :token, :old_owner, 'the lease had expired'
FROM DUAL WHERE @claimed = 1 AND :takeover = 1
