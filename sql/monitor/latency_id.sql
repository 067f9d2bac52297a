-- SPDX-License-Identifier: MIT
-- Purpose: the first row at or behind a number, with its time: one step of a search for a time by the primary key.
-- Privileges: SELECT on lock_latency.
-- Parameters: id.
-- Units: at in microseconds since 1970 UTC.
SELECT id, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', at) FROM lock_latency WHERE id >= :id ORDER BY id LIMIT 1
