-- SPDX-License-Identifier: MIT
-- Purpose: is there this schema, for this account? One in which it may look at nothing is not there.
-- Privileges: none.
-- Parameters: schema.
-- Units: none.
SELECT 1 FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = :schema
