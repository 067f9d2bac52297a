-- SPDX-License-Identifier: MIT
-- Purpose: one more row of lab/fill, appended to it.
-- Privileges: INSERT on lab_stock.
-- Parameters: resource, amount.
-- Units: none.
    , (:resource, :amount)
