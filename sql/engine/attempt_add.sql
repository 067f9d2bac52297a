-- SPDX-License-Identifier: MIT
-- Purpose: the end of engine/attempt: counts add up.
-- Privileges: as there.
-- Parameters: none.
-- Units: none.
ON DUPLICATE KEY UPDATE
    commits = commits + VALUES(commits),
    conflicts = conflicts + VALUES(conflicts),
    retries = retries + VALUES(retries),
    updated_at = VALUES(updated_at)
