-- SPDX-License-Identifier: MIT
-- Purpose: a release before the minimum hold time: the row stays taken until then, nobody renews it. No changed row =
--          the time is over (release as usual) or the lease is not ours any more.
-- Privileges: SELECT, UPDATE on lock_lease.
-- Parameters: resource, slot, token, presence, former (as in engine/renew), hold.
-- Units: hold in microseconds from the grant.
UPDATE lock_lease
SET kept = 1, expires_at = acquired_at + INTERVAL :hold MICROSECOND
WHERE resource = :resource AND slot = :slot AND token = :token AND presence IN (:presence, :former) AND kept = 0
  AND acquired_at + INTERVAL :hold MICROSECOND > UTC_TIMESTAMP(6)
