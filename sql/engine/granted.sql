-- SPDX-License-Identifier: MIT
-- Purpose: whether the row has been given to the asker: what it reads on the way of every hand-over, so it is as little as
--          can be. No row = not yet, and only engine/look tells more.
-- Privileges: SELECT on lock_lease.
-- Parameters: resource, slot, presence (the asker's).
-- Units: what remains (NULL = forever) and the clock, as in engine/look.
SELECT token, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at),
       TIMESTAMPDIFF(MICROSECOND, '2000-01-01', UTC_TIMESTAMP(6))
FROM lock_lease WHERE resource = :resource AND slot = :slot AND presence = :presence
