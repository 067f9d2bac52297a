-- SPDX-License-Identifier: MIT
-- Purpose: before idle rows go, in the same transaction: new rows start above the tokens they had.
-- Privileges: SELECT on lock_meta, UPDATE on its column floor.
-- Parameters: token.
-- Units: none.
UPDATE lock_meta SET floor = GREATEST(floor, :token) WHERE name = 'floor_of_tokens'
