-- SPDX-License-Identifier: MIT
-- Purpose: block on the server until the user-level lock is free, at most `milliseconds`. Takes it for a moment only.
--          GET_LOCK knows whole seconds only, so the statement's time limit (error 3024) ends it.
-- Privileges: none.
-- Parameters: name, milliseconds, waiter (the session's own name, by which engine/waiting_for finds it).
-- Units: milliseconds, at least 1 (0 means no limit); the clock before the wait, in microseconds since 2000-01-01 UTC,
--        places what is read after it on the caller's own clock.
SELECT /*+ MAX_EXECUTION_TIME(:milliseconds) */ TIMESTAMPDIFF(MICROSECOND, '2000-01-01', UTC_TIMESTAMP(6))
       + IF(GET_LOCK(:name, 1000000) = 1, 0 * RELEASE_LOCK(:name), 0) AS clock, :waiter AS waiter
