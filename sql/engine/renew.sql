-- SPDX-License-Identifier: MIT
-- Purpose: give a lease that nobody has taken a new TTL from now; then say whether it is held, and whether the session
--          that holds its presence still lives. Its end may have passed by the server's clock, which may have been set:
--          the holder sends this while its own clock says that it holds. Who takes an expired lease (engine/claim)
--          raises its token in one statement, as this is one: either it comes first and this finds another token, or
--          this does and the end has moved.
-- Privileges: SELECT, UPDATE on lock_lease.
-- Parameters: resource, slot, token, presence (the lease's name from now on), former (another one that it may have; '' =
--             none), ttl.
-- Units: ttl in microseconds, NULL = forever.
UPDATE lock_lease
SET presence = :presence, expires_at = UTC_TIMESTAMP(6) + INTERVAL :ttl MICROSECOND, ttl_us = :ttl
WHERE resource = :resource AND slot = :slot AND token = :token AND presence IN (:presence, :former) AND kept = 0;
SELECT EXISTS (SELECT 1 FROM lock_lease
               WHERE resource = :resource AND slot = :slot AND token = :token AND presence = :presence AND kept = 0),
       IS_USED_LOCK(:presence) IS NOT NULL
