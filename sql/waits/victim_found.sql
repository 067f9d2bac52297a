-- SPDX-License-Identifier: MIT
-- Purpose: what waits/victim found.
-- Privileges: none.
-- Parameters: none.
-- Units: none.
SELECT @lockscope_victim
