-- SPDX-License-Identifier: MIT
-- Purpose: whether the statement that the chosen session runs or ran last is the same one.
-- Privileges: PROCESS; without it only for sessions of the same user.
-- Parameters: number (query_id).
-- Units: none.
SELECT IFNULL(MAX(id), LEAST(@lockscope_victim, 0))
INTO @lockscope_victim
FROM information_schema.processlist
WHERE id = @lockscope_victim AND query_id = :number
