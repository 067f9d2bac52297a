-- SPDX-License-Identifier: MIT
-- Purpose: locks a row that is not there, which locks a gap and excludes nobody.
-- Privileges: SELECT, UPDATE on lab_lock.
-- Parameters: resource.
-- Units: none.
SELECT id FROM lab_lock WHERE resource = :resource FOR UPDATE
