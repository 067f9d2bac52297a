-- SPDX-License-Identifier: MIT
-- Purpose: the sessions whose last transaction is a prepared one, with its name; a name that cannot be printed is told as
--          hexadecimal digits. Others may have ended it since, where it is without a session from the moment on at which it
--          is prepared.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: none.
-- Units: none.
SELECT t.processlist_id, t.thread_id, e.xid_format_id, e.xid_gtrid, e.xid_bqual
FROM performance_schema.events_transactions_current AS e
JOIN performance_schema.threads AS t ON t.thread_id = e.thread_id
WHERE e.xa_state = 'PREPARED' AND t.processlist_id IS NOT NULL
