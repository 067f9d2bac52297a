-- Purpose: keep what the caller wrote in the transaction, and free the row.
-- Privileges: UPDATE on lock_row.
-- Parameters: resource.
-- Units: none.
UPDATE lock_row SET owner = NULL, note = NULL, since = NULL, connection = NULL, presence = NULL WHERE resource = :resource;
COMMIT
