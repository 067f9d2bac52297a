-- SPDX-License-Identifier: MIT
-- Purpose: locks the row, and with it every row that the server has to look at to find it.
-- Privileges: SELECT, UPDATE on lab_plain.
-- Parameters: resource.
-- Units: none.
SELECT id FROM lab_plain WHERE resource = :resource FOR UPDATE
