-- SPDX-License-Identifier: MIT
-- Purpose: a request whose owner holds something already says what it is going to wait for; engine/cycle follows in
--          the same packet.
-- Privileges: INSERT on lock_wait_for.
-- Parameters: owner, mode, resource, place.
-- Units: none.
INSERT INTO lock_wait_for (owner, mode, resource, place, since)
VALUES (:owner, :mode, :resource, :place, UTC_TIMESTAMP(6));
SET @edge = LAST_INSERT_ID()
