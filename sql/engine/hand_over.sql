-- SPDX-License-Identifier: MIT
-- Purpose: end a lease: hand it to the first in the queue, or free it when nobody waits. One statement, so what is decided
--          is what the row says in that moment. No changed row = the first in the queue is dead (engine/drop_dead), or
--          the lease is not this one any more.
-- Privileges: SELECT, UPDATE on lock_lease.
-- Parameters: resource, slot, token, presence, kept (1: also a lease that is kept for its minimum hold time).
-- Units: none.
--
-- Assignments go from left to right, and the queue comes last, for all others read it. An empty queue has empty fields.
-- '-' is nobody's name.
UPDATE lock_lease
SET token = token + (queue <> ''),
    kept = 0,
    acquired_at = UTC_TIMESTAMP(6),
    ttl_us = NULLIF(SUBSTRING_INDEX(SUBSTRING_INDEX(queue, '\t', 3), '\t', -1), ''),
    expires_at = acquired_at + INTERVAL ttl_us MICROSECOND,
    note = UNHEX(SUBSTRING_INDEX(SUBSTRING_INDEX(queue, '\t', 5), '\t', -1)),
    owner = SUBSTRING_INDEX(SUBSTRING_INDEX(queue, '\n', 1), '\t', -1),
    presence = IF(queue = '', '-', SUBSTRING_INDEX(queue, '\t', 1)),
    queue = SUBSTRING(queue, LOCATE('\n', queue) + 1)
WHERE resource = :resource AND slot = :slot AND token = :token AND presence = :presence AND kept <= :kept
  AND (queue = '' OR IS_USED_LOCK(IF(queue = '', '-', SUBSTRING_INDEX(queue, '\t', 1))) IS NOT NULL)
