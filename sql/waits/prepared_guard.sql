-- SPDX-License-Identifier: MIT
-- Purpose: end the packet here unless waits/prepared_target has found the transaction: error 1690, out of range.
-- Privileges: none.
-- Parameters: none.
-- Units: none.
SELECT 18446744073709551615 + IF(@lockscope_prepared = 1, 0, 1)
