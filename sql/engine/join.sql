-- SPDX-License-Identifier: MIT
-- Purpose: join the queue, behind all that are in it, or take the row if it is free: a free row has no queue. One changed
--          row, LAST_INSERT_ID = the number of the arrival; none = there is no such row, or we are in it already.
--          engine/look behind it tells which it was. The line's fields are told in schema/002_lock_lease.
-- Privileges: SELECT, UPDATE on lock_lease.
-- Parameters: resource, slot, presence, ttl, owner, note.
-- Units: ttl in microseconds, NULL = forever.
--
-- Assignments go from left to right, and presence comes last, for all others read it.
UPDATE lock_lease
SET arrivals = LAST_INSERT_ID(arrivals + 1),
    queue = IF(presence = '-', '',
               CONCAT(queue, :presence, '\t', arrivals, '\t', IFNULL(:ttl, ''), '\t',
                      TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)), '\t', HEX(:note), '\t', :owner, '\n')),
    token = token + IF(presence = '-', 1, 0),
    kept = IF(presence = '-', 0, kept),
    acquired_at = IF(presence = '-', UTC_TIMESTAMP(6), acquired_at),
    expires_at = IF(presence = '-', UTC_TIMESTAMP(6) + INTERVAL :ttl MICROSECOND, expires_at),
    ttl_us = IF(presence = '-', :ttl, ttl_us),
    owner = IF(presence = '-', :owner, owner),
    note = IF(presence = '-', :note, note),
    presence = IF(presence = '-', :presence, presence)
WHERE resource = :resource AND slot = :slot AND presence <> :presence AND LOCATE(CONCAT(:presence, '\t'), queue) = 0
