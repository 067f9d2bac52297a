-- SPDX-License-Identifier: MIT
-- Purpose: removes the schema of a run.
-- Privileges: those of lessons/make.
-- Parameters: schema, user, host.
-- Units: none.
DROP DATABASE IF EXISTS :schema
