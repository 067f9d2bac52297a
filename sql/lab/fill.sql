-- SPDX-License-Identifier: MIT
-- Purpose: one resource of a run. More follow as lab/fill_row.
-- Privileges: INSERT on lab_stock.
-- Parameters: resource, amount.
-- Units: none.
INSERT INTO lab_stock (resource, amount) VALUES (:resource, :amount)
