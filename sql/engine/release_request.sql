-- SPDX-License-Identifier: MIT
-- Purpose: ask the holder of a lock to release it.
-- Privileges: INSERT on lock_release_request.
-- Parameters: session, mode, resource, number, reason.
-- Units: none.
INSERT INTO lock_release_request (at, session, mode, resource, number, reason)
VALUES (UTC_TIMESTAMP(6), :session, :mode, :resource, :number, :reason)
