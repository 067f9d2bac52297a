-- Purpose: take the bell of a lease: the heir waits on it, and the holder's own connection can let it go.
-- Privileges: none.
-- Parameters: bell.
-- Units: none.
DO GET_LOCK(:bell, 0)
