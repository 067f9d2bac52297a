-- SPDX-License-Identifier: MIT
-- Purpose: end a connection of the run, as somebody with the wrong window open would.
-- Privileges: none for one's own connections.
-- Parameters: connection (just read by lab/connections).
-- Units: none.
KILL :connection
