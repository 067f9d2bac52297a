-- SPDX-License-Identifier: MIT
-- Purpose: leases that are not free within a part of the table, in key order after a cursor, with the columns of
--          monitor/list and a digest: see monitor/lease_digests. Goes by the primary key, whatever the table's size.
-- Privileges: SELECT on lock_lease.
-- Parameters: after and slot (of the last one that was read), upto (the part's last resource), since (only those that
--          were granted then or later; NULL = all), contains (as in monitor/list), limit (rows).
-- Units: times in microseconds since 1970 UTC, NULL = none; ttl in microseconds, NULL = forever.
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
WHERE l.resource <= :upto
    AND (l.resource > :after OR l.resource = :after AND l.slot > :slot)
    AND l.presence <> '-'
    AND (l.kept = 0 OR l.expires_at > UTC_TIMESTAMP(6))
    AND (:since IS NULL OR l.acquired_at >= '1970-01-01' + INTERVAL :since MICROSECOND)
    AND (:contains = ''
        OR INSTR(LOWER(CONVERT(l.resource USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0
        OR INSTR(LOWER(CONVERT(IFNULL(l.owner, '') USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0
        OR INSTR(LOWER(CONVERT(IFNULL(l.note, '') USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0)
ORDER BY l.resource, l.slot
LIMIT :limit
