-- SPDX-License-Identifier: MIT
-- Purpose: append-only record of what is not routine: takeover, loss, force release, failed release.
-- Privileges: CREATE on the schema.
-- Parameters: none.
-- Units: at in UTC to the microsecond.
--
-- kind       takeover | lost | force_release | release_failed | kill (then resource names the session)
-- owner      whose lease it was, as JSON; operator: who says to have acted, for force_release and kill
-- account    which account wrote the line. The server writes it: nobody else is granted the column. NULL before version 6
CREATE TABLE IF NOT EXISTS lock_event (
    id       BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    at       DATETIME(6) NOT NULL,
    kind     VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    resource VARBINARY(255) NOT NULL,
    slot     SMALLINT NOT NULL DEFAULT 0,
    token    BIGINT UNSIGNED NOT NULL,
    owner    VARBINARY(512) NULL,
    operator VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    reason   VARCHAR(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    account  VARCHAR(384) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL DEFAULT (CURRENT_USER()),
    PRIMARY KEY (id),
    KEY by_resource (resource, slot, id)
) ENGINE = InnoDB
