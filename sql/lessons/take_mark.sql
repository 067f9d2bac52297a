-- SPDX-License-Identifier: MIT
-- Purpose: marks a run's schema as one of a run that lives: 1, unless another session has that mark.
-- Privileges: none.
-- Parameters: name.
-- Units: none.
SELECT GET_LOCK(:name, 0)
