-- SPDX-License-Identifier: MIT
-- Purpose: who holds a row lock now, and on which connection. Its name is in a transaction that is still open.
-- Privileges: SELECT on lock_row.
-- Parameters: resource.
-- Units: none.
SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED;
SELECT RTRIM(owner), connection FROM lock_row
WHERE resource = :resource AND IS_USED_LOCK(RTRIM(IFNULL(presence, '-'))) = connection
