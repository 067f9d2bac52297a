-- SPDX-License-Identifier: MIT
-- Purpose: the compare-and-swap: one row = committed, no row = somebody else committed since the version was read.
--          The insert id carries the new time to the client.
-- Privileges: SELECT, UPDATE on lock_version.
-- Parameters: resource, version, commit.
-- Units: the insert id in microseconds since 1970, UTC.
UPDATE lock_version
SET version = version + 1,
    updated_at = CAST('1970-01-01' AS DATETIME(6)) + INTERVAL LAST_INSERT_ID(GREATEST(
        TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)),
        TIMESTAMPDIFF(MICROSECOND, '1970-01-01', updated_at) + 1)) MICROSECOND,
    commits = CONCAT(:commit, LEFT(commits, 248))
WHERE resource = :resource AND version = :version
