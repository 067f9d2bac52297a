-- SPDX-License-Identifier: MIT
-- Purpose: what is left at the end of a run.
-- Privileges: SELECT on lab_stock.
-- Parameters: initial (each resource's amount at the beginning).
-- Units: none.
SELECT SUM(CAST(:initial AS SIGNED) - amount), SUM(version), SUM(GREATEST(0, sold - CAST(:initial AS SIGNED)))
FROM lab_stock
