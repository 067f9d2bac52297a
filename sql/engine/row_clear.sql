-- Purpose: after a statement of the caller's committed the transaction: its holder's name became permanent.
-- Privileges: UPDATE on lock_row.
-- Parameters: resource.
-- Units: none.
UPDATE lock_row SET owner = NULL, note = NULL, since = NULL, connection = NULL, presence = NULL
WHERE resource = :resource AND connection = CONNECTION_ID()
