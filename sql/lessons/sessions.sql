-- SPDX-License-Identifier: MIT
-- Purpose: the sessions of a run's account.
-- Privileges: PROCESS.
-- Parameters: user.
-- Units: none.
SELECT id FROM information_schema.processlist WHERE user = :user
