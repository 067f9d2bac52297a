-- SPDX-License-Identifier: MIT
-- Purpose: remove a row that is locked by this transaction. By its key: a list can make the server scan the table, and
--          wait for rows that others hold.
-- Privileges: DELETE on lock_row.
-- Parameters: resource.
-- Units: none.
DELETE FROM lock_row WHERE resource = :resource
