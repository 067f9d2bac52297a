-- SPDX-License-Identifier: MIT
-- Purpose: whoever was taken for dead, as its process had lost its session, takes its place in the queue again, by
--          compare-and-swap on the queue that was read. No changed row = it is not so any more: look again.
-- Privileges: SELECT, UPDATE on lock_lease.
-- Parameters: resource, slot, presence, seen (the queue as it was read), queue (the same with the asker's line).
-- Units: none.
UPDATE lock_lease
SET queue = :queue
WHERE resource = :resource AND slot = :slot AND presence NOT IN ('-', :presence) AND queue = :seen
