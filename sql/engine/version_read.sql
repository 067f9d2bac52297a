-- SPDX-License-Identifier: MIT
-- Purpose: the version of a resource. No row = nobody used it yet, or it was removed as idle.
-- Privileges: SELECT on lock_version.
-- Parameters: resource.
-- Units: updated in microseconds since 1970, UTC.
SELECT version, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', updated_at) AS updated
FROM lock_version WHERE resource = :resource
