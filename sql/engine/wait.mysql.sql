-- Purpose: block on the server until the user-level lock is free, at most `milliseconds`. Takes it for a moment only.
--          GET_LOCK knows whole seconds only, so the statement's time limit (error 3024) ends it.
-- Privileges: none.
-- Parameters: name, milliseconds.
-- Units: milliseconds, at least 1 (0 means no limit).
SELECT /*+ MAX_EXECUTION_TIME(:milliseconds) */ GET_LOCK(:name, 1000000);
DO RELEASE_LOCK(:name)
