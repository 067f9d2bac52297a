-- SPDX-License-Identifier: MIT
-- Purpose: lock the caller's row for the rest of the transaction and read its fence. Outside of a transaction a savepoint
--          is not kept, so its release fails with 1305 before any row is locked. A second row tells that the key is not
--          unique.
-- Privileges: SELECT, UPDATE on the caller's table.
-- Parameters: table, key_column, fence_column (identifiers); key.
-- Units: none.
SAVEPOINT lockscope_fence;
RELEASE SAVEPOINT lockscope_fence;
SELECT :fence_column, :key_column FROM :table WHERE :key_column = :key LIMIT 2 FOR UPDATE
