-- SPDX-License-Identifier: MIT
-- Purpose: the queue of one lock, as schema/002_lock_lease tells it.
-- Privileges: SELECT on lock_lease.
-- Parameters: resource, slot.
-- Units: as there.
SELECT queue FROM lock_lease WHERE resource = :resource AND slot = :slot
