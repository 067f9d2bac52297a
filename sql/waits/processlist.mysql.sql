-- SPDX-License-Identifier: MIT
-- Purpose: the same as waits/sessions where the performance schema may not be read.
-- Privileges: PROCESS; without it only those of the same user.
-- Parameters: ids (a list), bytes (of a statement), others (how many of those that wait; 0 = none), limit (rows; those of
--          the list come first).
-- Units: since in microseconds since 1970 UTC, to the second.
SELECT
    id, user, host, db, command,
    (TIMESTAMPDIFF(SECOND, '1970-01-01', UTC_TIMESTAMP()) - time) * 1000000,
    state,
    LEFT(CAST(info AS BINARY), :bytes)
FROM information_schema.processlist
WHERE id IN (:ids)
    OR :others > 0 AND (state IN ('User lock', 'Waiting for table flush') OR state LIKE 'Waiting for%lock')
ORDER BY id NOT IN (:ids), id
LIMIT :limit
