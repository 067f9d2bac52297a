-- SPDX-License-Identifier: MIT
-- Purpose: after a wait that was cut short: its limit may have fired as the lock was granted.
-- Privileges: none.
-- Parameters: name.
-- Units: none.
DO RELEASE_LOCK(:name)
