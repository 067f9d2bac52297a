-- SPDX-License-Identifier: MIT
-- Purpose: engine-wide numbers: `schema_version` and `token_floor` (every new row's token starts above it).
-- Privileges: CREATE on the schema.
-- Parameters: none.
-- Units: none.
CREATE TABLE IF NOT EXISTS lock_meta (
    name  VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    value BIGINT UNSIGNED NOT NULL,
    PRIMARY KEY (name)
) ENGINE = InnoDB
