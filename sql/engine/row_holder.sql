-- SPDX-License-Identifier: MIT
-- Purpose: show who holds the row, for as long as the transaction lives. The savepoint tells later whether it still is
--          that transaction: a COMMIT or a DDL statement of the caller's own removes it.
-- Privileges: UPDATE on lock_row.
-- Parameters: resource, owner, note, presence (a user-level lock of this session).
-- Units: none.
--
-- Owner and presence are filled up with blanks, as in a free row, so that the row keeps its size and is changed in place.
-- Else InnoDB takes it out and in again, with the locks of all who wait for it: among a hundred that took 0.15 s.
UPDATE lock_row SET owner = RPAD(:owner, 512, ' '), note = :note, since = UTC_TIMESTAMP(6), connection = CONNECTION_ID(),
    presence = RPAD(:presence, 64, ' ')
WHERE resource = :resource;
SAVEPOINT lockscope
