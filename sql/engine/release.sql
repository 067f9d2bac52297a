-- SPDX-License-Identifier: MIT
-- Purpose: free a lease that nobody waits for; no changed row = somebody waits, or the lease is not ours any more, or
--          it is kept until its minimum hold time is over (engine/keep).
-- Privileges: SELECT, UPDATE on lock_lease.
-- Parameters: resource, slot, token, presence.
-- Units: none.
UPDATE lock_lease
SET presence = '-'
WHERE resource = :resource AND slot = :slot AND token = :token AND presence = :presence AND queue = ''
  AND kept = 0
