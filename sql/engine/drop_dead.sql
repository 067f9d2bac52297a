-- SPDX-License-Identifier: MIT
-- Purpose: whose process is gone, or has lost its session, leaves the front of the queue. One that comes back takes its
--          place again (engine/rejoin).
-- Privileges: SELECT, UPDATE on lock_lease.
-- Parameters: resource, slot.
-- Units: none.
UPDATE lock_lease
SET queue = SUBSTRING(queue, LOCATE('\n', queue) + 1)
WHERE resource = :resource AND slot = :slot AND queue <> ''
  AND IS_USED_LOCK(IF(queue = '', '-', SUBSTRING_INDEX(queue, '\t', 1))) IS NULL
