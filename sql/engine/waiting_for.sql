-- SPDX-License-Identifier: MIT
-- Purpose: the connections that block until this user-level lock is free.
-- Privileges: PROCESS for connections of other users, which are left out without it.
-- Parameters: pattern (of the name).
-- Units: none.
SELECT id FROM information_schema.processlist WHERE state = 'User lock' AND info LIKE :pattern
