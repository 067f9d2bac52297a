-- SPDX-License-Identifier: MIT
-- Purpose: remove a batch of what dead processes waited for.
-- Privileges: SELECT, DELETE on lock_wait_for.
-- Parameters: age.
-- Units: age in microseconds.
DELETE FROM lock_wait_for
WHERE since < UTC_TIMESTAMP(6) - INTERVAL :age MICROSECOND AND IS_USED_LOCK(place) IS NULL
ORDER BY id LIMIT 100
