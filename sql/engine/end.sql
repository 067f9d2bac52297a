-- SPDX-License-Identifier: MIT
-- Purpose: before engine/hand_over, in a transaction that ends somebody's lease by force: locks its row, so that it stays
--          as it was read, and remembers whose it was and the presence by which its waiters wait.
-- Privileges: SELECT, UPDATE on lock_lease.
-- Parameters: resource, slot, token.
-- Units: none.
BEGIN;
SET @held = 0, @old = '', @old_owner = NULL;
SELECT 1, presence, owner INTO @held, @old, @old_owner
FROM lock_lease WHERE resource = :resource AND slot = :slot AND token = :token AND presence <> '-' FOR UPDATE
