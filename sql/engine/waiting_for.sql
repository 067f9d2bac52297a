-- SPDX-License-Identifier: MIT
-- Purpose: the sessions of one engine, known by its mark, that block until this user-level lock is free: the names of
--          theirs, which their statements tell (engine/wait) and they hold. They hold nothing else: ended, they connect
--          again, look, and find that they hold the lease. KILL QUERY between two statements of a packet would make
--          MariaDB end the packet without an answer, and the waiter would hang.
-- Privileges: PROCESS for connections of other users, which are left out without it.
-- Parameters: pattern (of the name), mark.
-- Units: none.
-- Never NULL: to MySQL that is no name, and an error, also in a row that the conditions leave out.
SELECT name
FROM (SELECT id,
             LEFT(CONCAT(:mark, SUBSTRING_INDEX(SUBSTRING_INDEX(IFNULL(info, ''), :mark, -1), '\'', 1)), 64) AS name
      FROM information_schema.processlist WHERE state = 'User lock' AND info LIKE :pattern) AS waiting
WHERE IS_USED_LOCK(name) = id
