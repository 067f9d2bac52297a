-- Purpose: keep what the caller wrote in the transaction, and free the row.
-- Privileges: UPDATE on lock_row.
-- Parameters: resource, table (lock_row with its schema: the caller may have sent USE).
-- Units: none.
UPDATE :table SET owner = RPAD('', 512, ' '), note = '', since = '1970-01-01', connection = 0,
    presence = RPAD('-', 64, ' ') WHERE resource = :resource;
COMMIT
