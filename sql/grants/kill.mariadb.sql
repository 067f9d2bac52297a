-- SPDX-License-Identifier: MIT
-- Purpose: what an operator needs on top of grants/operator, or alone on a server without lock tables, to end sessions of
--          other users. It reaches beyond any lock table, so it is left to the administrator.
--          Anybody who knows its name can end a prepared transaction; MariaDB shows these names to everybody.
-- Privileges: to be run by an administrator.
-- Parameters: none; the names are examples.
-- Units: none.
GRANT PROCESS, CONNECTION ADMIN ON *.* TO 'lockscope_operator'@'localhost';
GRANT SELECT ON performance_schema.* TO 'lockscope_operator'@'localhost'
