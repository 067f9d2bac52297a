-- Purpose: keep what the caller wrote in the transaction, and free the row.
-- Privileges: UPDATE on lock_row.
-- Parameters: resource, table (lock_row with its schema: the caller may have sent USE).
-- Units: none.
UPDATE :table SET owner = NULL, note = NULL, since = NULL, connection = NULL, presence = NULL WHERE resource = :resource;
COMMIT
