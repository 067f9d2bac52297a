-- SPDX-License-Identifier: MIT
-- Purpose: the chosen session cannot be known again.
-- Privileges: none.
-- Parameters: none.
-- Units: none.
SET @lockscope_victim = LEAST(@lockscope_victim, 0)
