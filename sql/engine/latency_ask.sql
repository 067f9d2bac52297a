-- SPDX-License-Identifier: MIT
-- Purpose: did a write arrive whose answer was lost? Looks at the newest rows only: it is asked soon after.
-- Privileges: SELECT on lock_latency.
-- Parameters: owner, batch.
-- Units: none.
SELECT COUNT(*)
FROM (SELECT owner, batch FROM lock_latency ORDER BY id DESC LIMIT 10000) AS newest
WHERE owner = :owner AND batch = :batch
