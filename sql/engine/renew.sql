-- Purpose: give a lease that has not expired a new TTL from now; then say whether it is held, and whether the
--          session that holds its presence still lives.
-- Privileges: SELECT, UPDATE on lock_lease.
-- Parameters: resource, slot, token, presence, ttl.
-- Units: ttl in microseconds, NULL = forever.
UPDATE lock_lease
SET expires_at = UTC_TIMESTAMP(6) + INTERVAL :ttl MICROSECOND, ttl_us = :ttl
WHERE resource = :resource AND slot = :slot AND token = :token AND presence = :presence AND kept = 0
  AND (expires_at IS NULL OR expires_at > UTC_TIMESTAMP(6));
SELECT EXISTS (SELECT 1 FROM lock_lease
               WHERE resource = :resource AND slot = :slot AND token = :token AND presence = :presence AND kept = 0
                 AND (expires_at IS NULL OR expires_at > UTC_TIMESTAMP(6))),
       IS_USED_LOCK(:presence) IS NOT NULL
