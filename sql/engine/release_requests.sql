-- SPDX-License-Identifier: MIT
-- Purpose: what holders of this engine were asked.
-- Privileges: SELECT on lock_release_request.
-- Parameters: session.
-- Units: none.
SELECT id, mode, resource, number, reason FROM lock_release_request WHERE session = :session ORDER BY id LIMIT 100
