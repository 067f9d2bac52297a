-- SPDX-License-Identifier: MIT
-- Purpose: the latest deadlock in InnoDB's own text, between two readings of how many there were since the server started.
-- Privileges: PROCESS; error 1227 without.
-- Parameters: none.
-- Units: none.
--
-- Nobody can lock a row while the server writes the text, at most 1 MB.
SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks';
SHOW ENGINE INNODB STATUS;
SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks'
