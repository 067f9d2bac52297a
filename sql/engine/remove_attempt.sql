-- SPDX-License-Identifier: MIT
-- Purpose: remove one of them, unless it was counted again meanwhile.
-- Privileges: SELECT, DELETE on lock_attempt.
-- Parameters: resource, age.
-- Units: age in microseconds.
DELETE FROM lock_attempt
WHERE resource = :resource AND updated_at < UTC_TIMESTAMP(6) - INTERVAL :age MICROSECOND
