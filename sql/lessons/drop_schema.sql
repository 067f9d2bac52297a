-- SPDX-License-Identifier: MIT
-- Purpose: removes the schema of a run; error 1205 after a second when somebody holds a lock in it.
-- Privileges: those of lessons/make.
-- Parameters: schema, user, host.
-- Units: none.
DROP DATABASE IF EXISTS :schema
