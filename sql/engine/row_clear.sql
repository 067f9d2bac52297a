-- SPDX-License-Identifier: MIT
-- Purpose: take the holder's name out of the row: before a COMMIT that keeps the caller's work, or after a statement of
--          the caller's has committed the transaction, so that the name became permanent.
-- Privileges: UPDATE on lock_row.
-- Parameters: resource, table (lock_row with its schema: the caller may have sent USE).
-- Units: none.
UPDATE :table SET owner = RPAD('', 512, ' '), note = '', since = '1970-01-01', connection = 0,
    presence = RPAD('-', 64, ' ')
WHERE resource = :resource AND connection = CONNECTION_ID()
