-- SPDX-License-Identifier: MIT
-- Purpose: how long acquiring and holding took, counted by each engine and written every few seconds. Append-only; read
--          and purged by ranges of the primary key, which grows with at, so at needs no index.
-- Privileges: CREATE on the schema.
-- Parameters: none.
-- Units: at in UTC to the microsecond, the end of the time that was counted; period_us, sum_us, max_us in microseconds.
--
-- mode       unique | pessimistic | optimistic
-- kind       acquire | hold
-- outcome    granted | busy | timed_out | cancelled | unknown | failed | deadlock | committed | conflict; '' for hold
-- owner      the engine, as JSON without a thread
-- prefix     EngineConfig::namePrefix of the engine: which application's resources these are
-- batch      number of the write within its engine: rows with the same came together
-- buckets    counts by duration: see lib/engine/records/histogram.h
CREATE TABLE IF NOT EXISTS lock_latency (
    id        BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    at        DATETIME(6) NOT NULL,
    period_us BIGINT UNSIGNED NOT NULL,
    mode      VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    kind      VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    outcome   VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    owner     VARBINARY(512) NOT NULL,
    prefix    VARBINARY(255) NOT NULL DEFAULT '',
    batch     BIGINT UNSIGNED NOT NULL,
    count     BIGINT UNSIGNED NOT NULL,
    sum_us    BIGINT UNSIGNED NOT NULL,
    max_us    BIGINT UNSIGNED NOT NULL,
    buckets   VARBINARY(8192) NOT NULL,
    PRIMARY KEY (id)
) ENGINE = InnoDB
