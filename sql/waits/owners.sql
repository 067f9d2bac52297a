-- SPDX-License-Identifier: MIT
-- Purpose: the owners that engines in pessimistic mode told in these sessions; uncommitted, as all that they tell.
-- Privileges: SELECT on lock_row.
-- Parameters: ids (a list).
-- Units: none.
SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED;
SELECT connection, RTRIM(owner)
FROM lock_row
WHERE connection IN (:ids) AND IS_USED_LOCK(RTRIM(IFNULL(presence, '-'))) = connection
