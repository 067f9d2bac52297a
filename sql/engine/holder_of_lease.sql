-- SPDX-License-Identifier: MIT
-- Purpose: who holds a lease now, and its token. No row = nobody.
-- Privileges: SELECT on lock_lease.
-- Parameters: resource.
-- Units: none.
SELECT owner, token FROM lock_lease
WHERE resource = :resource AND slot = 0 AND presence <> '-' AND kept = 0
  AND (expires_at IS NULL OR expires_at > UTC_TIMESTAMP(6))
