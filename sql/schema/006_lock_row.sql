-- Purpose: one row per resource of pessimistic mode, locked with FOR UPDATE. Created in a transaction of its own before it
--          is locked: locking a missing row takes gap locks.
-- Privileges: CREATE.
-- Parameters: none.
-- Units: times in UTC. The holder writes owner, note, since and connection inside its open transaction and rolls them
--        back in the end: a reader at READ UNCOMMITTED sees them exactly as long as the lock is held. token and used_at
--        are written by other connections, in lock_row_token.
CREATE TABLE IF NOT EXISTS lock_row (
    resource   VARBINARY(255) NOT NULL,
    owner      VARBINARY(512) NULL,
    note       VARBINARY(1024) NULL,
    since      DATETIME(6) NULL,
    connection BIGINT UNSIGNED NULL,
    PRIMARY KEY (resource)
) ENGINE = InnoDB
