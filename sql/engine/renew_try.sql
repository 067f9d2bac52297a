-- SPDX-License-Identifier: MIT
-- Purpose: is the lease's row free to be changed? Error 1205 (MariaDB) or 3572 (MySQL) when somebody has it locked: then
--          engine/renew would wait for it, and with it the renewals of other leases.
-- Privileges: SELECT, UPDATE on lock_lease.
-- Parameters: resource, slot.
-- Units: none.
SELECT token FROM lock_lease WHERE resource = :resource AND slot = :slot FOR UPDATE NOWAIT
