-- SPDX-License-Identifier: MIT
-- Purpose: the fencing token of a row lock, raised by another session while the row is held: committed before anybody is
--          told of the grant, so no crash repeats it. The counters are leases of slot -1 and are cleaned up like them.
-- Privileges: SELECT, INSERT, UPDATE on lock_lease; SELECT on lock_meta.
-- Parameters: resource.
-- Units: none.
INSERT INTO lock_lease (resource, slot, token, acquired_at)
SELECT :resource, -1, LAST_INSERT_ID(floor + 1), UTC_TIMESTAMP(6) FROM lock_meta WHERE name = 'floor_of_tokens'
LOCK IN SHARE MODE
ON DUPLICATE KEY UPDATE token = LAST_INSERT_ID(lock_lease.token + 1), acquired_at = UTC_TIMESTAMP(6);
SELECT LAST_INSERT_ID()
