-- SPDX-License-Identifier: MIT
-- Purpose: store what was measured since the last time. More rows follow as engine/latency_row.
-- Privileges: INSERT on lock_latency.
-- Parameters: period, mode, kind, outcome, owner, prefix, batch, count, sum, max,
--             buckets.
-- Units: period, sum and max in microseconds.
INSERT INTO lock_latency (at, period_us, mode, kind, outcome, owner, prefix, batch, count, sum_us, max_us, buckets)
VALUES
    (UTC_TIMESTAMP(6), :period, :mode, :kind, :outcome, :owner, :prefix, :batch, :count, :sum, :max, :buckets)
