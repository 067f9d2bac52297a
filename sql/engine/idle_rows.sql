-- SPDX-License-Identifier: MIT
-- Purpose: a batch of leases in key order after a cursor, with a mark at those that nobody needs any more: free, or
--          ended by their expiry, for longer than the age, and nobody in the queue, or only the dead at its front, which the last column
--          tells. A lease whose holder lives stays: its holder may still renew it.
-- Privileges: SELECT on lock_lease.
-- Parameters: cursor, age.
-- Units: age in microseconds.
SELECT resource, slot, token,
       IF(presence = '-', acquired_at < UTC_TIMESTAMP(6) - INTERVAL :age MICROSECOND,
          expires_at < UTC_TIMESTAMP(6) - INTERVAL :age MICROSECOND AND (kept = 1 OR IS_USED_LOCK(presence) IS NULL))
       AND (queue = '' OR IS_USED_LOCK(IF(queue = '', '-', SUBSTRING_INDEX(queue, '\t', 1))) IS NULL),
       queue <> ''
FROM lock_lease WHERE resource > :cursor ORDER BY resource, slot LIMIT 500
