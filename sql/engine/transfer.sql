-- Purpose: end the lease `token` whoever waits: to the living heir, else to the first living ticket, else free.
--          Opens a transaction and leaves it open: the caller may add its event, then commits (engine/commit).
--          The lease row is locked first, so nobody is granted or registers beside it.
-- Result:  held (0: not the lease any more), retry (1: the chosen ticket left meanwhile, run again), then for
--          the nudge: old presence and the connection that the heir waits on.
-- Privileges: SELECT, UPDATE on lock_lease; SELECT, DELETE on lock_waiter.
-- Parameters: resource, slot, token.
-- Units: none.
BEGIN;
SET @held = NULL, @old = NULL, @heir = 0, @connection = NULL, @ticket = NULL, @next = NULL, @ttl = NULL,
    @owner = NULL, @note = NULL, @old_owner = NULL;
SELECT 1, presence, owner, IFNULL(IS_USED_LOCK(IFNULL(heir_place, '-')), 0) <> 0 AND heir_presence IS NOT NULL,
       heir_connection, heir_presence, heir_ttl_us, heir_owner, heir_note
INTO @held, @old, @old_owner, @heir, @connection, @next, @ttl, @owner, @note
FROM lock_lease
WHERE resource = :resource AND slot = :slot AND token = :token AND presence <> '-' FOR UPDATE;
SET @next = IF(@heir, @next, NULL);
SELECT ticket, presence, ttl_us, owner, note INTO @ticket, @next, @ttl, @owner, @note
FROM lock_waiter
WHERE @held = 1 AND @heir = 0 AND resource = :resource AND slot = :slot AND IS_USED_LOCK(place) IS NOT NULL
ORDER BY ticket LIMIT 1;
DELETE FROM lock_waiter WHERE ticket = @ticket;
SET @retry = IF(@ticket IS NOT NULL AND ROW_COUNT() = 0, 1, 0);
UPDATE lock_lease
SET presence = IFNULL(@next, '-'), token = token + IF(@next IS NULL, 0, 1), waited = IF(@next IS NULL, 0, 2), kept = 0,
    acquired_at = IF(@next IS NULL, acquired_at, UTC_TIMESTAMP(6)),
    expires_at = IF(@next IS NULL, NULL, UTC_TIMESTAMP(6) + INTERVAL @ttl MICROSECOND),
    ttl_us = IF(@next IS NULL, ttl_us, @ttl), owner = IF(@next IS NULL, owner, @owner),
    note = IF(@next IS NULL, note, @note),
    heir_presence = NULL, heir_place = NULL
WHERE resource = :resource AND slot = :slot AND token = :token AND presence <> '-' AND @retry = 0;
SELECT IFNULL(@held, 0), @retry, @old, IF(@heir, @connection, NULL), @next IS NOT NULL
