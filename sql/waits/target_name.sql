-- SPDX-License-Identifier: MIT
-- Purpose: whether the chosen session still holds a user-level lock.
-- Privileges: none.
-- Parameters: name.
-- Units: none.
SET @lockscope_target = IF(IS_USED_LOCK(:name) = @lockscope_target, @lockscope_target, LEAST(@lockscope_target, 0))
