-- SPDX-License-Identifier: MIT
-- Purpose: remove what was told, and nothing else: one with a smaller number may become visible later.
-- Privileges: SELECT, DELETE on lock_release_request.
-- Parameters: session, told (a list of numbers).
-- Units: none.
DELETE FROM lock_release_request WHERE session = :session AND id IN (:told)
