-- Purpose: how many live requests wait in all queues, for when the list was cut.
-- Privileges: SELECT on lock_lease and lock_waiter.
-- Parameters: none.
-- Units: none.
SELECT
    (SELECT COUNT(*) FROM lock_waiter WHERE IS_USED_LOCK(place) IS NOT NULL)
    + (SELECT COUNT(*) FROM lock_lease WHERE heir_place IS NOT NULL AND IS_USED_LOCK(IFNULL(heir_place, '-')) IS NOT NULL)
