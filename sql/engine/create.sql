-- SPDX-License-Identifier: MIT
-- Purpose: behind engine/acquire in one packet: make the row of a name that has none, held at once.
--          The floor is read under a lock, so a clean-up that removes the row meanwhile cannot make a token repeat.
-- Privileges: SELECT on lock_meta, INSERT on lock_lease.
-- Parameters: resource, slot, presence, ttl, owner, note.
-- Units: ttl in microseconds, NULL = forever.
INSERT IGNORE INTO lock_lease (resource, slot, token, presence, acquired_at, expires_at, ttl_us, owner, note)
SELECT :resource, :slot, LAST_INSERT_ID(floor + 1), :presence,
       UTC_TIMESTAMP(6), UTC_TIMESTAMP(6) + INTERVAL :ttl MICROSECOND, :ttl, :owner, :note
FROM lock_meta WHERE name = 'floor_of_tokens' AND ROW_COUNT() = 0 LOCK IN SHARE MODE
