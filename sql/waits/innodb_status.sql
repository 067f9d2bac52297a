-- SPDX-License-Identifier: MIT
-- Purpose: InnoDB's own text, which alone tells without the performance schema that a session's transaction is prepared.
-- Privileges: PROCESS; error 1227 without.
-- Parameters: none.
-- Units: none.
--
-- Nobody can lock a row while the server writes it, at most 1 MB; it is asked for only where XA RECOVER lists more than are
-- found otherwise.
SHOW ENGINE INNODB STATUS
