-- SPDX-License-Identifier: MIT
-- Purpose: a row is the lock: whoever can insert it has it. IGNORE, so that a taken one is no error.
-- Privileges: INSERT on lab_lock.
-- Parameters: resource.
-- Units: none.
INSERT IGNORE INTO lab_lock (resource, created_at) VALUES (:resource, UTC_TIMESTAMP(6))
