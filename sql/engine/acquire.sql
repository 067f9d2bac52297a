-- SPDX-License-Identifier: MIT
-- Purpose: take a free lease that nobody waits for; one changed row = held, LAST_INSERT_ID = its token.
-- Privileges: SELECT, UPDATE on lock_lease.
-- Parameters: resource, slot, presence, ttl, owner, note.
-- Units: ttl in microseconds, NULL = forever.
UPDATE lock_lease
SET presence = :presence, token = LAST_INSERT_ID(token + 1), kept = 0,
    acquired_at = UTC_TIMESTAMP(6), expires_at = UTC_TIMESTAMP(6) + INTERVAL :ttl MICROSECOND,
    ttl_us = :ttl, owner = :owner, note = :note
WHERE resource = :resource AND slot = :slot AND presence = '-' AND queue = ''
