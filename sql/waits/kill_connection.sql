-- SPDX-License-Identifier: MIT
-- Purpose: end a session that was found to be the chosen one in the same packet; error 1094 when it was not.
-- Privileges: CONNECTION ADMIN (MySQL: CONNECTION_ADMIN) for sessions of other users.
-- Parameters: none.
-- Units: none.
KILL CONNECTION @lockscope_target
