-- SPDX-License-Identifier: MIT
-- Purpose: an own transaction by which the next look at InnoDB's list of transactions shows that it is a new one. The
--          server fills that list anew only when nobody has read it for 0.1 s, and may show an old one for as long as
--          others read it more often.
-- Privileges: none.
-- Parameters: none.
-- Units: none.
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
START TRANSACTION WITH CONSISTENT SNAPSHOT;
DO SLEEP(0.12)
