-- SPDX-License-Identifier: MIT
-- Purpose: behind a statement that ends a lease, in one packet of the session that holds its name: frees the name, which
--          wakes who waits for it, if a row was changed.
-- Privileges: none.
-- Parameters: name.
-- Units: none.
DO IF(ROW_COUNT() = 1, RELEASE_LOCK(:name), 0)
