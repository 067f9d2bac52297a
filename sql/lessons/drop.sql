-- SPDX-License-Identifier: MIT
-- Purpose: what a run leaves of itself.
-- Privileges: those of lessons/make.
-- Parameters: schema, user, host.
-- Units: none.
DROP DATABASE IF EXISTS :schema;
DROP USER IF EXISTS :user@:host
