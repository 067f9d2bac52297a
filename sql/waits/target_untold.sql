-- SPDX-License-Identifier: MIT
-- Purpose: the chosen session cannot be known again.
-- Privileges: none.
-- Parameters: none.
-- Units: none.
SET @lockscope_target = LEAST(@lockscope_target, 0)
