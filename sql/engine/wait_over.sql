-- SPDX-License-Identifier: MIT
-- Purpose: the request waits no longer.
-- Privileges: DELETE on lock_wait_for.
-- Parameters: edge.
-- Units: none.
DELETE FROM lock_wait_for WHERE id = :edge
