-- SPDX-License-Identifier: MIT
-- Purpose: what a program that takes locks needs, and no more. Adapt schema, user and host; create the user first. It
--          can neither change the schema's version nor remove events; the server notes its account with each that it
--          writes. grants/retention is for whoever removes old ones.
-- Privileges: to be run by an administrator.
-- Parameters: none; the names are examples.
-- Units: none.
GRANT SELECT, INSERT, UPDATE, DELETE ON lockscope.lock_lease TO 'lockscope_engine'@'localhost';
GRANT SELECT, INSERT, UPDATE, DELETE ON lockscope.lock_version TO 'lockscope_engine'@'localhost';
GRANT SELECT, INSERT, UPDATE, DELETE ON lockscope.lock_row TO 'lockscope_engine'@'localhost';
GRANT SELECT, UPDATE (floor) ON lockscope.lock_meta TO 'lockscope_engine'@'localhost';
GRANT SELECT, INSERT (at, kind, resource, slot, token, owner, operator, reason) ON lockscope.lock_event
    TO 'lockscope_engine'@'localhost';
GRANT SELECT, INSERT, DELETE ON lockscope.lock_latency TO 'lockscope_engine'@'localhost';
GRANT SELECT, INSERT, DELETE ON lockscope.lock_wait_for TO 'lockscope_engine'@'localhost';
GRANT SELECT, INSERT, UPDATE, DELETE ON lockscope.lock_attempt TO 'lockscope_engine'@'localhost';
GRANT SELECT, INSERT, DELETE ON lockscope.lock_done TO 'lockscope_engine'@'localhost';
GRANT SELECT, INSERT, DELETE ON lockscope.lock_release_request TO 'lockscope_engine'@'localhost'
