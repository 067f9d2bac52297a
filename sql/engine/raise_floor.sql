-- SPDX-License-Identifier: MIT
-- Purpose: before idle rows go, in the same transaction: new rows start above the tokens they had.
-- Privileges: SELECT, UPDATE on lock_meta.
-- Parameters: token.
-- Units: none.
UPDATE lock_meta SET value = GREATEST(value, :token) WHERE name = 'token_floor'
