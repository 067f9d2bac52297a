-- SPDX-License-Identifier: MIT
-- Purpose: was this lease force-released? Asked after a connection broke in the middle of one: the event is written by
--          the same transaction, so it is there exactly when the release is.
-- Privileges: SELECT on lock_event.
-- Parameters: resource, slot, token, operator, reason (as force_event wrote them).
-- Units: none.
SELECT 1
FROM lock_event
WHERE resource = :resource AND slot = :slot AND token = :token AND kind = 'force_release'
    AND operator = :operator AND reason = :reason
LIMIT 1
