-- SPDX-License-Identifier: MIT
-- Purpose: removes the account of a run, once its schema is gone: a run whose program died is found by it.
-- Privileges: those of lessons/make.
-- Parameters: schema, user, host.
-- Units: none.
DROP USER IF EXISTS :user@:host
