-- SPDX-License-Identifier: MIT
-- Purpose: how many requests wait in all queues, for when the list was cut. A line each; those that died since the last
--          grant are among them.
-- Privileges: SELECT on lock_lease.
-- Parameters: none.
-- Units: none.
SELECT IFNULL(SUM(LENGTH(queue) - LENGTH(REPLACE(queue, '\n', ''))), 0) FROM lock_lease WHERE queue <> ''
