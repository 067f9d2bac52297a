-- SPDX-License-Identifier: MIT
-- Purpose: the connections of one engine, known by its mark, that block until this user-level lock is free. They hold
--          nothing else: ended, they connect again, look, and find that they hold the lease. KILL QUERY between two
--          statements of a packet would make MariaDB end the packet without an answer, and the waiter would hang.
-- Privileges: PROCESS for connections of other users, which are left out without it.
-- Parameters: pattern (of the name), mark.
-- Units: none.
SELECT id FROM information_schema.processlist WHERE state = 'User lock' AND info LIKE :pattern
  AND IS_USED_LOCK(CONCAT(:mark, id)) = id
