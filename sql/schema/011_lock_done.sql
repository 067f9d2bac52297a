-- SPDX-License-Identifier: MIT
-- Purpose: jobs that were done once and shall not be done again. Append-only; purged at the low end of the primary key.
-- Privileges: CREATE on the schema.
-- Parameters: none.
-- Units: done_at in UTC to the microsecond.
--
-- biz_type   with the name prefix of the application
-- token      of the lease under which the job ran
CREATE TABLE IF NOT EXISTS lock_done (
    id       BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    biz_type VARBINARY(128) NOT NULL,
    biz_id   VARBINARY(180) NOT NULL,
    token    BIGINT UNSIGNED NOT NULL,
    owner    VARBINARY(512) NULL,
    done_at  DATETIME(6) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY by_job (biz_type, biz_id)
) ENGINE = InnoDB
