-- Purpose: block on the server until the user-level lock is free, at most `milliseconds`. Takes it for a moment only.
--          SELECT and not DO: a DO that fails does not stop the packet on MariaDB, and its answer is lost.
-- Privileges: none.
-- Parameters: name, milliseconds.
-- Units: milliseconds.
SELECT GET_LOCK(:name, :milliseconds / 1000);
DO RELEASE_LOCK(:name)
