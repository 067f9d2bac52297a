-- SPDX-License-Identifier: MIT
-- Purpose: takes the mark of lessons/take_mark away again.
-- Privileges: none.
-- Parameters: name.
-- Units: none.
DO RELEASE_LOCK(:name)
