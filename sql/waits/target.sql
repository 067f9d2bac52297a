-- SPDX-License-Identifier: MIT
-- Purpose: the session that a person chose, as @lockscope_target; what follows in the packet leaves it there only while
--          that session still is what it was, else makes it 0, or -1 when that cannot be told. No session has these
--          numbers.
-- Privileges: none.
-- Parameters: session.
-- Units: none.
SET @lockscope_target = :session
