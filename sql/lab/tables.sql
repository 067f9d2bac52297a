-- SPDX-License-Identifier: MIT
-- Purpose: the tables of a contention run, beside the engine's in its own schema: what the locks guard, and what the ways
--          without the engine lock.
-- Privileges: CREATE on the schema.
-- Parameters: none.
-- Units: created_at and expires_at in UTC to the microsecond, changed_at in whole seconds on purpose.
--
-- lab_run    a row, by which a run's schema is known: the host, the process and the start of the host it is of
-- lab_stock  amount is read, thought about and written back; version counts writes, sold pieces; seen is the largest
--            fencing token that was here
-- lab_lock   a row is a lock; id is the token of the AUTO_INCREMENT way
-- lab_note   the same without a unique key; lab_plain without any index on the name
CREATE TABLE lab_run (
    host VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    pid  BIGINT UNSIGNED NOT NULL,
    boot VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
) ENGINE = InnoDB;
CREATE TABLE lab_stock (
    resource   VARBINARY(64) NOT NULL PRIMARY KEY,
    amount     BIGINT NOT NULL,
    version    BIGINT UNSIGNED NOT NULL DEFAULT 0,
    sold       BIGINT NOT NULL DEFAULT 0,
    seen       BIGINT UNSIGNED NOT NULL DEFAULT 0,
    changed_at DATETIME NOT NULL DEFAULT '2000-01-01'
) ENGINE = InnoDB;
CREATE TABLE lab_lock (
    id         BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    resource   VARBINARY(64) NOT NULL UNIQUE KEY,
    created_at DATETIME(6) NOT NULL,
    expires_at DATETIME(6) NULL
) ENGINE = InnoDB;
CREATE TABLE lab_note (
    id       BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    resource VARBINARY(64) NOT NULL,
    KEY by_resource (resource)
) ENGINE = InnoDB;
CREATE TABLE lab_plain (
    id       BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    resource VARBINARY(64) NOT NULL
) ENGINE = InnoDB
