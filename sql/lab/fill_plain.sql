-- SPDX-License-Identifier: MIT
-- Purpose: the resources again, for the way that looks for them without an index.
-- Privileges: SELECT on lab_stock, INSERT on lab_plain.
-- Parameters: none.
-- Units: none.
INSERT INTO lab_plain (resource) SELECT resource FROM lab_stock
