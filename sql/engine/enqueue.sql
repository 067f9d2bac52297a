-- Purpose: join the queue in one packet: become the heir when nobody alive is before us, else take a ticket; mark the
--          row as waited for, so that newcomers cannot barge. @ticket is 0 for the heir.
-- Privileges: SELECT, UPDATE on lock_lease; SELECT, INSERT on lock_waiter.
-- Parameters: resource, slot, presence, place, ttl, owner, note.
-- Units: ttl in microseconds, NULL = forever.
UPDATE lock_lease
SET waited = GREATEST(waited, 1), heir_presence = :presence, heir_place = :place, heir_ttl_us = :ttl, heir_owner = :owner,
    heir_note = :note, heir_connection = CONNECTION_ID(), heir_since = UTC_TIMESTAMP(6)
WHERE resource = :resource AND slot = :slot AND presence <> '-'
  AND (heir_presence IS NULL OR IS_USED_LOCK(IFNULL(heir_place, '-')) IS NULL)
  AND NOT EXISTS (SELECT 1 FROM lock_waiter w
                  WHERE w.resource = :resource AND w.slot = :slot AND IS_USED_LOCK(w.place) IS NOT NULL);
INSERT INTO lock_waiter (resource, slot, presence, place, ttl_us, owner, note, since)
SELECT :resource, :slot, :presence, :place, :ttl, :owner, :note, UTC_TIMESTAMP(6) FROM DUAL WHERE ROW_COUNT() = 0;
SET @ticket = IF(ROW_COUNT() = 1, LAST_INSERT_ID(), 0);
UPDATE lock_lease SET waited = 2 WHERE resource = :resource AND slot = :slot AND waited < 2 AND @ticket <> 0;
SELECT @ticket
