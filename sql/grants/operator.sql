-- SPDX-License-Identifier: MIT
-- Purpose: what a force release needs on top of watching. With PROCESS and the right to end connections
--          (CONNECTION ADMIN; MySQL: CONNECTION_ADMIN) the next waiter wakes at once instead of within seconds;
--          both are left to the administrator, because they reach beyond the lock tables.
-- Privileges: to be run by an administrator.
-- Parameters: none; the names are examples.
-- Units: none.
GRANT SELECT ON lockscope.* TO 'lockscope_operator'@'localhost';
GRANT UPDATE ON lockscope.lock_lease TO 'lockscope_operator'@'localhost';
GRANT INSERT (at, kind, resource, slot, token, owner, operator, reason) ON lockscope.lock_event
    TO 'lockscope_operator'@'localhost';
GRANT INSERT ON lockscope.lock_release_request TO 'lockscope_operator'@'localhost'
