-- SPDX-License-Identifier: MIT
-- Purpose: somebody asks a living holder to release. Its engine looks for rows of its session every few seconds, tells
--          the holder, and removes them.
-- Privileges: CREATE on the schema.
-- Parameters: none.
-- Units: at in UTC to the microsecond.
--
-- session    of the holder's engine, as in its owner
-- mode       unique | pessimistic
-- number     which hold is meant: the token of a lease, the connection of a row lock
CREATE TABLE IF NOT EXISTS lock_release_request (
    id       BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    at       DATETIME(6) NOT NULL,
    session  CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    mode     VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    resource VARBINARY(255) NOT NULL,
    number   BIGINT UNSIGNED NOT NULL,
    reason   VARCHAR(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    PRIMARY KEY (id),
    KEY by_session (session, id)
) ENGINE = InnoDB
