-- SPDX-License-Identifier: MIT
-- Purpose: lock the row if it is free; error 1205 (MariaDB) or 3572 (MySQL) when it is not. No row = it was cleaned up.
-- Privileges: SELECT, UPDATE on lock_row.
-- Parameters: resource.
-- Units: none.
SELECT resource FROM lock_row WHERE resource = :resource FOR UPDATE NOWAIT
