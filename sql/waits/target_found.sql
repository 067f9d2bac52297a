-- SPDX-License-Identifier: MIT
-- Purpose: what waits/target found.
-- Privileges: none.
-- Parameters: none.
-- Units: none.
SELECT @lockscope_target
