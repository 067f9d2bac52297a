-- SPDX-License-Identifier: MIT
-- Purpose: locks the row by making or changing it.
-- Privileges: INSERT, UPDATE on lab_lock.
-- Parameters: resource.
-- Units: none.
INSERT INTO lab_lock (resource, created_at) VALUES (:resource, UTC_TIMESTAMP(6))
ON DUPLICATE KEY UPDATE created_at = UTC_TIMESTAMP(6)
