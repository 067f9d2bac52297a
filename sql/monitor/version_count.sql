-- SPDX-License-Identifier: MIT
-- Purpose: how many resources monitor/versions would show, for when it was cut.
-- Privileges: SELECT on lock_attempt.
-- Parameters: contains, as there.
-- Units: none.
SELECT COUNT(*)
FROM lock_attempt
WHERE updated_at > UTC_TIMESTAMP(6) - INTERVAL 10 MINUTE
    AND (:contains = ''
        OR INSTR(LOWER(CONVERT(resource USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0)
