-- Purpose: after a statement of the caller's committed the transaction: its holder's name became permanent.
-- Privileges: UPDATE on lock_row.
-- Parameters: resource, table (lock_row with its schema: the caller may have sent USE).
-- Units: none.
UPDATE :table SET owner = NULL, note = NULL, since = NULL, connection = NULL, presence = NULL
WHERE resource = :resource AND connection = CONNECTION_ID()
