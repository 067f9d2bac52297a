-- SPDX-License-Identifier: MIT
-- Purpose: the write under the lock. Tells by LAST_INSERT_ID the version that it wrote over, and by the second result
--          whether a later holder had been here. No changed row = refused by the fence.
-- Privileges: SELECT, UPDATE on lab_stock.
-- Parameters: resource, amount, sold, token, fenced (1: refuse a token smaller than one that was seen).
-- Units: none.
UPDATE lab_stock
SET amount = :amount, sold = sold + :sold, version = LAST_INSERT_ID(version) + 1, seen = GREATEST(seen, :token),
    changed_at = UTC_TIMESTAMP()
WHERE resource = :resource AND (:fenced = 0 OR seen <= :token);
SELECT seen > :token FROM lab_stock WHERE resource = :resource
