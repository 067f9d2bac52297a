-- Purpose: is the connection still the waiter that blocks on this presence? Then KILL of it is safe: it holds
--          nothing, connects again and looks. Asked right before, because an id may be used again.
-- Privileges: PROCESS for another user's connection; without it the answer is no, and the waiter wakes by itself.
-- Parameters: connection, pattern (of the presence).
-- Units: none.
SELECT 1 FROM information_schema.processlist
WHERE id = :connection AND state = 'User lock' AND info LIKE :pattern
