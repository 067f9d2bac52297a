-- SPDX-License-Identifier: MIT
-- Purpose: engine-wide numbers: the value of `schema_version`, and two floors that tokens and versions of new rows start
--          above, `floor_of_tokens` and `floor_of_versions`. These have a column of their own, the only one that engines
--          may write.
-- Privileges: CREATE on the schema.
-- Parameters: none.
-- Units: none.
CREATE TABLE IF NOT EXISTS lock_meta (
    name  VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    value BIGINT UNSIGNED NOT NULL,
    floor BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (name)
) ENGINE = InnoDB
