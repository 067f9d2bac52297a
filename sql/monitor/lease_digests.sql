-- SPDX-License-Identifier: MIT
-- Purpose: what has changed in a part of the table, in one pass over it: a digest for each lease that is not free, in one
--          text with commas between them, in no order; and in another, as hexadecimal digits, the resources of those that
--          were granted lately. Who knows the leases finds by the digests which of them have changed or ended: nothing in
--          lock_lease tells when a row was written. The digest is that of monitor/lease_part. That a holder's session
--          has gone is written nowhere: to ask who holds its name takes longer than all else of a row, so it is asked
--          for only where it is wanted, and the number of the connection changes the digest then.
-- Privileges: SELECT on lock_lease.
-- Parameters: after (the last resource of the part before), upto (this part's last), since (which grants are late ones:
--          those of then or later), holders (1: digests of leases and who holds their names), contains (as in monitor/list).
-- Units: since in microseconds since 1970 UTC.
SET SESSION group_concat_max_len = 16777216, @since = '1970-01-01' + INTERVAL :since MICROSECOND;
SELECT
    GROUP_CONCAT({parts/lease_digest} ^ IF(:holders, IFNULL(IS_USED_LOCK(l.presence), 0) & 0xFFFFFFFF, 0)),
    GROUP_CONCAT(IF(l.acquired_at >= @since, HEX(l.resource), NULL))
FROM lock_lease AS l
WHERE l.resource > :after
    AND l.resource <= :upto
    AND {parts/lease_shown}
