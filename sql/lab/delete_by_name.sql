-- SPDX-License-Identifier: MIT
-- Purpose: frees whatever is locked under the name, whoever it belongs to by now: the mistake that this way shows.
-- Privileges: DELETE on lab_lock.
-- Parameters: resource.
-- Units: none.
DELETE FROM lab_lock WHERE resource = :resource
