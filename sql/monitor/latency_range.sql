-- SPDX-License-Identifier: MIT
-- Purpose: the smallest and largest number there are; NULL when there are none.
-- Privileges: SELECT on lock_latency.
-- Parameters: none.
-- Units: none.
SELECT MIN(id), MAX(id) FROM lock_latency
