-- SPDX-License-Identifier: MIT
-- Purpose: a digest for each lease of a part of the table that is not free, in one text with commas between them, in no
--          order. Who knows the leases finds by it which of them have changed or ended: nothing in lock_lease tells when
--          a row was written, and a holder's session ends without writing. The digest is that of monitor/lease_part.
-- Privileges: SELECT on lock_lease.
-- Parameters: after (the last resource of the part before), upto (this part's last), contains (as in monitor/list).
-- Units: none.
SET SESSION group_concat_max_len = 16777216;
SELECT GROUP_CONCAT(CRC32(CONCAT(l.resource, '|', l.slot, '|', l.token, '|', l.presence, l.kept, IFNULL(IS_USED_LOCK(l.presence), 0),
                 l.queue, IFNULL(l.expires_at, ''))))
FROM lock_lease AS l
WHERE l.resource > :after
    AND l.resource <= :upto
    AND l.presence <> '-'
    AND (l.kept = 0 OR l.expires_at > UTC_TIMESTAMP(6))
    AND (:contains = ''
        OR INSTR(LOWER(CONVERT(l.resource USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0
        OR INSTR(LOWER(CONVERT(IFNULL(l.owner, '') USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0
        OR INSTR(LOWER(CONVERT(IFNULL(l.note, '') USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0)
