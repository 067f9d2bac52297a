-- SPDX-License-Identifier: MIT
-- Purpose: what the server has done since its start; read twice, the difference tells what a run cost it.
-- Privileges: none.
-- Parameters: none.
-- Units: statements.
SHOW GLOBAL STATUS WHERE Variable_name = 'Questions'
