-- SPDX-License-Identifier: MIT
-- Purpose: ends a session of a run, asked for by another one of its account: then the server lets it end no other account's.
-- Privileges: none for a session of the same account.
-- Parameters: connection.
-- Units: none.
KILL CONNECTION :connection
