-- SPDX-License-Identifier: MIT
-- Purpose: end of a packet that began with engine/end, or with engine/row_clear in a transaction whose work is kept.
-- Privileges: none.
-- Parameters: none.
-- Units: none.
COMMIT
