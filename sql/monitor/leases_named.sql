-- SPDX-License-Identifier: MIT
-- Purpose: the leases of some resources that are not free, as in monitor/lease_part. Goes by the primary key.
-- Privileges: SELECT on lock_lease.
-- Parameters: names (of the resources), contains (as in monitor/list).
-- Units: as in monitor/lease_part.
SELECT
    l.resource,
    l.slot,
    l.token,
    l.kept,
    IS_USED_LOCK(l.presence),
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', l.acquired_at),
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', l.expires_at),
    l.ttl_us,
    l.owner,
    l.note,
    l.queue,
    CRC32(CONCAT(l.resource, '|', l.slot, '|', l.token, '|', l.presence, l.kept, l.queue, IFNULL(l.expires_at, '')))
FROM lock_lease AS l
WHERE l.resource IN (:names)
    AND l.presence <> '-'
    AND (l.kept = 0 OR l.expires_at > UTC_TIMESTAMP(6))
    AND (:contains = ''
        OR INSTR(LOWER(CONVERT(l.resource USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0
        OR INSTR(LOWER(CONVERT(IFNULL(l.owner, '') USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0
        OR INSTR(LOWER(CONVERT(IFNULL(l.note, '') USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0)
