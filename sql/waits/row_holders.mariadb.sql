-- SPDX-License-Identifier: MIT
-- Purpose: which transaction waits for which where there are too many to read them all: of each waiter those that hold
--          the lock, and one of those that stand before it, with how many of them there are.
-- Privileges: PROCESS; error 1227 without.
-- Parameters: limit (edges).
-- Units: none.
--
-- n waiters of one row make n * (n + 1) / 2 edges. Who stands before somebody waits for that lock, too; transactions get
-- their numbers one after the other, so the highest of these is about the last of them. Those that changed nothing have the
-- number 0, all of them: the lock tells them apart as far as they want different ones.
SELECT w.requesting_trx_id, MAX(w.blocking_trx_id), w.requested_lock_id, COUNT(*)
FROM information_schema.innodb_lock_waits AS w
LEFT JOIN (
    SELECT DISTINCT trx_requested_lock_id AS id
    FROM information_schema.innodb_trx
    WHERE trx_requested_lock_id IS NOT NULL
) AS q ON q.id = w.blocking_lock_id
GROUP BY w.requesting_trx_id, w.requested_lock_id, IF(q.id IS NULL, w.blocking_trx_id, 0)
LIMIT :limit
