-- SPDX-License-Identifier: MIT
-- Purpose: make the row of a pessimistic lock, in a transaction of its own: locking a missing row takes gap locks.
-- Privileges: INSERT on lock_row.
-- Parameters: resource.
-- Units: none.
--
-- In each column something that engine/row_holder replaces by as many bytes: see there.
INSERT IGNORE INTO lock_row (resource, made_at, owner, note, since, connection, presence)
VALUES (:resource, UTC_TIMESTAMP(6), RPAD('', 512, ' '), '', '1970-01-01', 0, RPAD('-', 64, ' '))
