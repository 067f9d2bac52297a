-- SPDX-License-Identifier: MIT
-- Purpose: which transaction waits for which, and at which lock.
-- Privileges: PROCESS; error 1227 without.
-- Parameters: limit (edges).
-- Units: none.
SELECT requesting_trx_id, blocking_trx_id, requested_lock_id
FROM information_schema.innodb_lock_waits
LIMIT :limit
