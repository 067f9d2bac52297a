-- SPDX-License-Identifier: MIT
-- Purpose: take the user-level lock by which other sessions of the program know this one. The server's number does not
--          tell: after a restart of the server it belongs to somebody else.
-- Privileges: none.
-- Parameters: name (of the program's own, and of this session alone).
-- Units: none.
DO GET_LOCK(:name, 0)
