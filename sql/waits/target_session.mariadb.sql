-- SPDX-License-Identifier: MIT
-- Purpose: whether the chosen session is of the same account and, where asked, idle or at its statement since then.
-- Privileges: PROCESS; without it only for sessions of the same user.
-- Parameters: user, host, since (microseconds since 1970 UTC; NULL = any), statement (not needed here), bytes (likewise).
-- Units: none.
SELECT IFNULL(MAX(id), LEAST(@lockscope_target, 0))
INTO @lockscope_target
FROM information_schema.processlist
WHERE id = @lockscope_target
    AND user = :user
    AND host = :host
    AND (:since IS NULL
        OR ABS(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) - CAST(time_ms * 1000 AS SIGNED) - :since)
            <= 1000000)
