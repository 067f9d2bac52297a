-- SPDX-License-Identifier: MIT
-- Purpose: inserts it then, in the next packet as programs do: waits for everybody who locked the same gap.
-- Privileges: INSERT on lab_lock.
-- Parameters: resource.
-- Units: none.
INSERT INTO lab_lock (resource, created_at) VALUES (:resource, UTC_TIMESTAMP(6))
