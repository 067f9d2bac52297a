-- SPDX-License-Identifier: MIT
-- Purpose: the server's clock.
-- Privileges: none.
-- Parameters: none.
-- Units: microseconds since 1970 UTC.
SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))
