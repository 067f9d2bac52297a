-- SPDX-License-Identifier: MIT
-- Purpose: block on the server until the user-level lock is free, at most `milliseconds`. Takes it for a moment only.
--          One statement: what comes after the wait is on the way of every hand-over. SELECT and not DO: a DO that
--          fails does not stop the packet on MariaDB, and its answer is lost.
-- Privileges: none.
-- Parameters: name, milliseconds, waiter (the session's own name, by which engine/waiting_for finds it).
-- Units: milliseconds; the clock before the wait, in microseconds since 2000-01-01 UTC, places what is read after it on
--        the caller's own clock.
SELECT TIMESTAMPDIFF(MICROSECOND, '2000-01-01', UTC_TIMESTAMP(6))
       + IF(GET_LOCK(:name, :milliseconds / 1000) = 1, 0 * RELEASE_LOCK(:name), 0) AS clock, :waiter AS waiter
