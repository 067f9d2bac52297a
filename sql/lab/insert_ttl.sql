-- SPDX-License-Identifier: MIT
-- Purpose: the same with an end: a row whose time is up is removed first.
-- Privileges: SELECT, INSERT, DELETE on lab_lock.
-- Parameters: resource, ttl.
-- Units: microseconds.
DELETE FROM lab_lock WHERE resource = :resource AND expires_at <= UTC_TIMESTAMP(6);
INSERT IGNORE INTO lab_lock (resource, created_at, expires_at)
VALUES (:resource, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6) + INTERVAL :ttl MICROSECOND)
