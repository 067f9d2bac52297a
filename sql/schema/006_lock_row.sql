-- SPDX-License-Identifier: MIT
-- Purpose: one row per resource of pessimistic mode, locked with FOR UPDATE. Created in a transaction of its own before it
--          is locked: locking a missing row takes gap locks.
-- Privileges: CREATE.
-- Parameters: none.
-- Units: times in UTC. The holder writes owner, note, since, connection and presence inside its open transaction and
--        rolls them back in the end: a reader at READ UNCOMMITTED sees them exactly as long as the lock is held.
--        presence is a user-level lock of the holder's session, so whatever is left behind can be told from a holder.
CREATE TABLE IF NOT EXISTS lock_row (
    resource   VARBINARY(255) NOT NULL,
    owner      VARBINARY(512) NULL,
    note       VARBINARY(1024) NULL,
    since      DATETIME(6) NULL,
    connection BIGINT UNSIGNED NULL,
    presence   VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
    made_at    DATETIME(6) NOT NULL,
    PRIMARY KEY (resource)
) ENGINE = InnoDB
