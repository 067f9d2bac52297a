-- SPDX-License-Identifier: MIT
-- Purpose: the same as waits/target_session where the performance schema may not be read.
-- Privileges: PROCESS; without it only for sessions of the same user.
-- Parameters: as there.
-- Units: none.
SELECT IFNULL(MAX(id), LEAST(@lockscope_target, 0))
INTO @lockscope_target
FROM information_schema.processlist
WHERE id = @lockscope_target
    AND user = :user
    AND host = :host
    AND (:since IS NULL
        OR ABS((TIMESTAMPDIFF(SECOND, '1970-01-01', UTC_TIMESTAMP()) - time) * 1000000 - :since) <= 1000000)
    AND (:statement IS NULL OR LEFT(CAST(info AS BINARY), :bytes) = :statement)
