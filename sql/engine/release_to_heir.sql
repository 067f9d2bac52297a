-- Purpose: hand the lease to the registered first waiter and wake it, in one packet of the session that holds
--          what the heir waits on; no changed row = there is no living heir, or the lease is not ours any more, or it
--          is kept until its minimum hold time is over (engine/keep).
-- Privileges: SELECT, UPDATE on lock_lease.
-- Parameters: resource, slot, token, presence, awaited (what the heir waits on: the bell, or the presence itself).
-- Units: none.
UPDATE lock_lease
SET presence = heir_presence, token = token + 1,
    acquired_at = UTC_TIMESTAMP(6), expires_at = UTC_TIMESTAMP(6) + INTERVAL heir_ttl_us MICROSECOND,
    ttl_us = heir_ttl_us, owner = heir_owner, note = heir_note,
    heir_presence = NULL, heir_place = NULL
WHERE resource = :resource AND slot = :slot AND token = :token AND presence = :presence AND kept = 0
  AND heir_presence IS NOT NULL AND IS_USED_LOCK(IFNULL(heir_place, '-')) IS NOT NULL;
DO IF(ROW_COUNT() = 1, RELEASE_LOCK(:awaited), 0)
