-- SPDX-License-Identifier: MIT
-- Purpose: all that a request needs to know, in one view: the lease and its queue. Whether names are held is asked of the
--          server's locks and may be newer than the row: it says whom to wait for, never what is ours.
-- Privileges: SELECT on lock_lease.
-- Parameters: resource, slot, presence (the asker's).
-- Units: clock, remaining and ttl in microseconds; remaining NULL = forever. The queue is left out for a holder, who has
--        nothing to decide.
SELECT presence, token, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at), kept,
       IS_USED_LOCK(presence) IS NOT NULL, ttl_us, owner,
       TIMESTAMPDIFF(MICROSECOND, '2000-01-01', UTC_TIMESTAMP(6)), IS_USED_LOCK(:presence) IS NOT NULL,
       IF(presence = :presence, '', queue)
FROM lock_lease WHERE resource = :resource AND slot = :slot
