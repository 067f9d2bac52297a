-- SPDX-License-Identifier: MIT
-- Purpose: was a job done, when, and under which token?
-- Privileges: SELECT on lock_done.
-- Parameters: type, id.
-- Units: done_at in microseconds since 1970, UTC.
SELECT token, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', done_at)
FROM lock_done WHERE biz_type = :type AND biz_id = :id
