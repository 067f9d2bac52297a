-- SPDX-License-Identifier: MIT
-- Purpose: record who ended a session and why, where the server has the engine's tables.
-- Privileges: INSERT on lock_event; without it, or without the table, the record is the local one alone.
-- Parameters: session (as text), owner (JSON: whose it was), operator, reason (with statement and result).
-- Units: none.
INSERT INTO lock_event (at, kind, resource, slot, token, owner, operator, reason)
VALUES (UTC_TIMESTAMP(6), 'kill', :session, 0, 0, :owner, :operator, :reason)
