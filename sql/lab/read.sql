-- SPDX-License-Identifier: MIT
-- Purpose: what is to be changed under the lock.
-- Privileges: SELECT on lab_stock.
-- Parameters: resource.
-- Units: none.
SELECT amount, version, changed_at FROM lab_stock WHERE resource = :resource
