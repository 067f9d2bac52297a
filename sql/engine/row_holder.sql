-- Purpose: show who holds the row, for as long as the transaction lives. The savepoint tells later whether it still is
--          that transaction: a COMMIT or a DDL statement of the caller's own removes it.
-- Privileges: UPDATE on lock_row.
-- Parameters: resource, owner, note, presence (a user-level lock of this session).
-- Units: none.
UPDATE lock_row SET owner = :owner, note = :note, since = UTC_TIMESTAMP(6), connection = CONNECTION_ID(),
    presence = :presence
WHERE resource = :resource;
SAVEPOINT lockscope
