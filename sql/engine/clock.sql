-- Purpose: the server's clock, to place what a long packet read on the caller's own clock.
-- Privileges: none.
-- Parameters: none.
-- Units: microseconds since 2000-01-01 UTC.
SELECT TIMESTAMPDIFF(MICROSECOND, '2000-01-01', UTC_TIMESTAMP(6))
