-- SPDX-License-Identifier: MIT
-- Purpose: one more row of engine/latency, appended to it so that all go in one statement.
-- Privileges: INSERT on lock_latency.
-- Parameters: period, mode, kind, outcome, owner, prefix, batch, count, sum, max,
--             buckets.
-- Units: period, sum and max in microseconds.
    , (UTC_TIMESTAMP(6), :period, :mode, :kind, :outcome, :owner, :prefix, :batch, :count, :sum, :max, :buckets)
