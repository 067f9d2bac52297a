-- SPDX-License-Identifier: MIT
-- Purpose: one row per resource of optimistic mode.
-- Privileges: CREATE on the schema.
-- Parameters: none.
-- Units: updated_at in UTC to the microsecond, strictly increasing.
--
-- version    grows by one with every commit; a row that was removed as idle comes back with a larger one
-- commits    random 8-byte ids of the last commits, newest first: tells whose a version was when an answer got lost
CREATE TABLE IF NOT EXISTS lock_version (
    resource   VARBINARY(255) NOT NULL,
    version    BIGINT UNSIGNED NOT NULL,
    updated_at DATETIME(6) NOT NULL,
    commits    VARBINARY(256) NOT NULL,
    PRIMARY KEY (resource)
) ENGINE = InnoDB
