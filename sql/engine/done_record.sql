-- SPDX-License-Identifier: MIT
-- Purpose: record that a job was done, if the lease under which it ran is still the same; no row = it is not. The lease
--          is read under a lock: who takes it over does so before, and nothing is recorded, or afterwards, and then sees
--          the record.
-- Privileges: SELECT, UPDATE on lock_lease; INSERT on lock_done.
-- Parameters: type, id, owner, resource, slot, token, presence, former (as in engine/renew).
-- Units: none.
INSERT INTO lock_done (biz_type, biz_id, token, owner, done_at)
SELECT :type, :id, token, :owner, UTC_TIMESTAMP(6)
FROM lock_lease
WHERE resource = :resource AND slot = :slot AND token = :token AND presence IN (:presence, :former)
LOCK IN SHARE MODE
