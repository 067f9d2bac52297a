-- SPDX-License-Identifier: MIT
-- Purpose: where the next part of lock_lease ends, which has about so many rows, and how many of its leases are not free.
--          All slots of a resource are in one part. Goes by the primary key.
-- Privileges: SELECT on lock_lease.
-- Parameters: after (the last resource of the part before), contains (as in monitor/list), rows (of a part).
-- Units: none. First the part's last resource, NULL = it is the table's last part.
SET @upto = (SELECT l.resource FROM lock_lease AS l WHERE l.resource > :after ORDER BY l.resource LIMIT 1 OFFSET :rows);
SELECT
    @upto,
    (SELECT COUNT(*)
     FROM lock_lease AS l
     WHERE l.resource > :after
         AND l.resource <= IFNULL(@upto, REPEAT(X'FF', 255))
         AND l.presence <> '-'
         AND (l.kept = 0 OR l.expires_at > UTC_TIMESTAMP(6))
         AND (:contains = ''
             OR INSTR(LOWER(CONVERT(l.resource USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0
             OR INSTR(LOWER(CONVERT(IFNULL(l.owner, '') USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0
             OR INSTR(LOWER(CONVERT(IFNULL(l.note, '') USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0))
