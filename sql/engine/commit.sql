-- Purpose: end of a packet that began with engine/transfer.
-- Privileges: none.
-- Parameters: none.
-- Units: none.
COMMIT
