-- SPDX-License-Identifier: MIT
-- Purpose: take the user-level lock by which other sessions of the program know this one. A number alone does not
--          tell: after a restart of the server it belongs to somebody else.
-- Privileges: none.
-- Parameters: mark (a prefix of the program's own).
-- Units: none.
DO GET_LOCK(CONCAT(:mark, CONNECTION_ID()), 0)
