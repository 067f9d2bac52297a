-- Purpose: remove one idle row unless somebody used it since it was read.
-- Privileges: SELECT, DELETE on lock_lease.
-- Parameters: resource, slot, token.
-- Units: none.
DELETE FROM lock_lease
WHERE resource = :resource AND slot = :slot AND token = :token AND presence = '-' AND waited = 0
