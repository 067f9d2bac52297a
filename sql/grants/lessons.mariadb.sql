-- SPDX-License-Identifier: MIT
-- Purpose: what lessons need on any server but the private one (`lockctl lesson run --url`, Side by side): for each run they
--          make a schema, and an account that may use it alone and see who waits for whom, and remove both.
--          CREATE USER reaches far: who has it can change the passwords of other accounts, on MariaDB root's too. So give
--          this only on a server that is there for it, and to an account that is used for nothing else.
--          The column rights on mysql.user are for removing what a run left whose program died.
-- Privileges: to be run by an administrator.
-- Parameters: none; the names are examples.
-- Units: none.
GRANT CREATE USER, PROCESS ON *.* TO 'lockscope_lessons'@'localhost' WITH GRANT OPTION;
GRANT ALL ON `lockscope\_lesson\_%`.* TO 'lockscope_lessons'@'localhost' WITH GRANT OPTION;
GRANT SELECT (user, host) ON mysql.user TO 'lockscope_lessons'@'localhost';
GRANT SELECT ON performance_schema.* TO 'lockscope_lessons'@'localhost'
