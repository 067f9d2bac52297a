-- SPDX-License-Identifier: MIT
-- Purpose: does the request `edge` wait, through others, for its own owner? Goes from request to holder to what that
--          holder waits for. One row = yes: the number of the newest request in the cycle, which is the one to give up.
--          Reads what open transactions wrote, for there the holders of row locks are named.
-- Privileges: SELECT on lock_wait_for, lock_lease and lock_row.
-- Parameters: edge.
-- Units: none.
--
-- UNION without ALL ends a walk that meets a cycle which `edge` is not in. An owner does not wait for itself: what it
-- holds it is granted again, so such a row is only what a release has not removed yet.
SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED;
WITH RECURSIVE chain (id, owner, mode, resource, newest) AS (
    SELECT id, owner, mode, resource, id - id FROM lock_wait_for WHERE id = :edge
    UNION
    SELECT w.id, w.owner, w.mode, w.resource, GREATEST(c.newest, w.id)
    FROM chain c
    JOIN lock_lease l ON l.resource = c.resource AND l.slot = 0
    JOIN lock_wait_for w ON w.owner = l.owner
    WHERE c.mode = 'unique' AND l.presence <> '-' AND l.kept = 0 AND w.owner <> c.owner
      AND (l.expires_at IS NULL OR l.expires_at > UTC_TIMESTAMP(6)) AND IS_USED_LOCK(w.place) IS NOT NULL
    UNION
    SELECT w.id, w.owner, w.mode, w.resource, GREATEST(c.newest, w.id)
    FROM chain c
    JOIN lock_row r ON r.resource = c.resource
    JOIN lock_wait_for w ON w.owner = RTRIM(r.owner)
    WHERE c.mode = 'pessimistic' AND w.owner <> c.owner
      AND IS_USED_LOCK(RTRIM(IFNULL(r.presence, '-'))) = r.connection AND IS_USED_LOCK(w.place) IS NOT NULL
)
SELECT /*+ SET_VAR(cte_max_recursion_depth = 100000) */ newest FROM chain WHERE id = :edge AND newest > 0 LIMIT 1
