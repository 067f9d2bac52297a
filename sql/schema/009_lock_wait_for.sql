-- SPDX-License-Identifier: MIT
-- Purpose: who waits although it holds something: only such owners can wait for each other in a cycle. A request of one
--          writes its row before it waits, looks for a cycle, and removes it afterwards.
-- Privileges: CREATE on the schema.
-- Parameters: none.
-- Units: since in UTC to the microsecond.
--
-- mode       unique | pessimistic: which kind of lock is waited for
-- place      user-level lock that is held while the request waits; a row whose place is free is dead
CREATE TABLE IF NOT EXISTS lock_wait_for (
    id       BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    owner    VARBINARY(512) NOT NULL,
    mode     VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    resource VARBINARY(255) NOT NULL,
    place    VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    since    DATETIME(6) NOT NULL,
    PRIMARY KEY (id),
    KEY by_owner (owner)
) ENGINE = InnoDB
