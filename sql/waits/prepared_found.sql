-- SPDX-License-Identifier: MIT
-- Purpose: what waits/prepared_target found.
-- Privileges: none.
-- Parameters: none.
-- Units: none.
SELECT @lockscope_prepared
