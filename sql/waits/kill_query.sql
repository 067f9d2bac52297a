-- SPDX-License-Identifier: MIT
-- Purpose: end the statement of a session that was found to be the chosen one in the same packet; error 1094 when not.
-- Privileges: CONNECTION ADMIN (MySQL: CONNECTION_ADMIN) for sessions of other users.
-- Parameters: none.
-- Units: none.
KILL QUERY @lockscope_target
