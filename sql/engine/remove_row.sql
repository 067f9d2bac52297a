-- SPDX-License-Identifier: MIT
-- Purpose: remove one lease that engine/idle_rows has marked, unless somebody used it since it was read: a grant raises
--          the token, a renewal moves the end. Who joins its queue in this moment makes the row again.
-- Privileges: SELECT, DELETE on lock_lease.
-- Parameters: resource, slot, token.
-- Units: none.
DELETE FROM lock_lease
WHERE resource = :resource AND slot = :slot AND token = :token
  AND (presence = '-' OR expires_at < UTC_TIMESTAMP(6) AND (kept = 1 OR IS_USED_LOCK(presence) IS NULL))
  AND queue = ''
