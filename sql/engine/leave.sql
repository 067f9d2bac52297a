-- SPDX-License-Identifier: MIT
-- Purpose: a waiting request gives up: its line goes. engine/look behind it tells whether it was granted before.
-- Privileges: SELECT, UPDATE on lock_lease.
-- Parameters: resource, slot, presence.
-- Units: none.
UPDATE lock_lease
SET queue = CONCAT(SUBSTRING_INDEX(queue, CONCAT(:presence, '\t'), 1),
                   SUBSTRING(queue, LOCATE('\n', queue, LOCATE(CONCAT(:presence, '\t'), queue)) + 1))
WHERE resource = :resource AND slot = :slot AND LOCATE(CONCAT(:presence, '\t'), queue) > 0
