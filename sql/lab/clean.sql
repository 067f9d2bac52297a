-- SPDX-License-Identifier: MIT
-- Purpose: the cleaner job: removes what is older than the TTL, also when its holder is only slow.
-- Privileges: SELECT, DELETE on lab_lock.
-- Parameters: ttl.
-- Units: microseconds.
DELETE FROM lab_lock WHERE created_at <= UTC_TIMESTAMP(6) - INTERVAL :ttl MICROSECOND
