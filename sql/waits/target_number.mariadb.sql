-- SPDX-License-Identifier: MIT
-- Purpose: whether the statement that the chosen session runs or ran last is the same one.
-- Privileges: PROCESS; without it only for sessions of the same user.
-- Parameters: number (query_id).
-- Units: none.
SELECT IFNULL(MAX(id), LEAST(@lockscope_target, 0))
INTO @lockscope_target
FROM information_schema.processlist
WHERE id = @lockscope_target AND query_id = :number
