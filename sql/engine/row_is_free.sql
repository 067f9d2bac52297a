-- SPDX-License-Identifier: MIT
-- Purpose: wait until the row of a lease can be changed, for as long as a session waits for locks.
-- Privileges: SELECT, UPDATE on lock_lease.
-- Parameters: resource, slot.
-- Units: none.
SELECT token FROM lock_lease WHERE resource = :resource AND slot = :slot FOR UPDATE
