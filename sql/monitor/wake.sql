-- Purpose: wake the waiter that engine/nudge confirmed; it looks again and finds that it holds the lock.
-- Privileges: CONNECTION ADMIN (MySQL: CONNECTION_ADMIN) for another user's connection.
-- Parameters: connection.
-- Units: none.
KILL QUERY :connection
