-- SPDX-License-Identifier: MIT
-- Purpose: compare-and-swap on a timestamp of whole seconds, which takes every write within one second for the same.
-- Privileges: SELECT, UPDATE on lab_stock.
-- Parameters: resource, amount, sold, changed (as it was read).
-- Units: whole seconds, UTC.
UPDATE lab_stock
SET amount = :amount, sold = sold + :sold, version = LAST_INSERT_ID(version) + 1, changed_at = UTC_TIMESTAMP()
WHERE resource = :resource AND changed_at = CAST(:changed AS DATETIME)
