-- SPDX-License-Identifier: MIT
-- Purpose: what an operator needs on top of grants/operator, or alone on a server without lock tables, to end sessions of
--          other users. It reaches beyond any lock table, so it is left to the administrator.
--          Prepared transactions are ended by whoever knows their names, which MariaDB tells everybody.
-- Privileges: to be run by an administrator.
-- Parameters: none; the names are examples.
-- Units: none.
GRANT PROCESS, CONNECTION ADMIN ON *.* TO 'lockscope_operator'@'localhost';
GRANT SELECT ON performance_schema.* TO 'lockscope_operator'@'localhost'
