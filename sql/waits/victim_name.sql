-- SPDX-License-Identifier: MIT
-- Purpose: whether the chosen session still holds a user-level lock.
-- Privileges: none.
-- Parameters: name.
-- Units: none.
SET @lockscope_victim = IF(IS_USED_LOCK(:name) = @lockscope_victim, @lockscope_victim, LEAST(@lockscope_victim, 0))
