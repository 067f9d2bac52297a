-- SPDX-License-Identifier: MIT
-- Purpose: what the server counts of all row locks, those of programs without the engine as well: waits and time waited
--          since its start, and waits of this moment. Read twice, the difference tells what happened between.
-- Privileges: none.
-- Parameters: none.
-- Units: time in milliseconds, whole ones per wait; uptime in seconds.
SHOW GLOBAL STATUS WHERE Variable_name IN
    ('Innodb_row_lock_waits', 'Innodb_row_lock_time', 'Innodb_row_lock_current_waits', 'Uptime')
