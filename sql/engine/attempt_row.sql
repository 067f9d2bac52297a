-- SPDX-License-Identifier: MIT
-- Purpose: one resource's counts, a part of engine/attempt.
-- Privileges: as there.
-- Parameters: resource, commits, conflicts, retries.
-- Units: none.
(:resource, :commits, :conflicts, :retries, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))
