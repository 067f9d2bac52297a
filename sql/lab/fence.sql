-- SPDX-License-Identifier: MIT
-- Purpose: before the first read under a lock with a token: the row remembers it, and refuses a smaller one from then on.
-- Privileges: SELECT, UPDATE on lab_stock.
-- Parameters: resource, token.
-- Units: none.
UPDATE lab_stock SET seen = :token WHERE resource = :resource AND seen <= :token
