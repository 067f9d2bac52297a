-- SPDX-License-Identifier: MIT
-- Purpose: how often callers tried again after a conflict, over all resources. Read twice, as monitor/wait_counters.
-- Privileges: SELECT on lock_attempt.
-- Parameters: none.
-- Units: none.
SELECT IFNULL(SUM(retries), 0) FROM lock_attempt
