-- SPDX-License-Identifier: MIT
-- Purpose: how often optimistic attempts at a resource succeed, counted by each engine and added every few seconds.
-- Privileges: CREATE on the schema.
-- Parameters: none.
-- Units: *_at in UTC to the microsecond; counts since first_at.
--
-- resource   as in lock_version; for a caller's own table "table:key", see <lockscope/optimistic.h>
-- retries    attempts after the first one of a call that tries again
CREATE TABLE IF NOT EXISTS lock_attempt (
    resource   VARBINARY(255) NOT NULL,
    commits    BIGINT UNSIGNED NOT NULL,
    conflicts  BIGINT UNSIGNED NOT NULL,
    retries    BIGINT UNSIGNED NOT NULL,
    first_at   DATETIME(6) NOT NULL,
    updated_at DATETIME(6) NOT NULL,
    PRIMARY KEY (resource),
    KEY by_time (updated_at)
) ENGINE = InnoDB
