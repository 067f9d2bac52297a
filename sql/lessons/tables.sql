-- SPDX-License-Identifier: MIT
-- Purpose: the tables of a run's schema.
-- Privileges: those of lessons/make.
-- Parameters: schema.
-- Units: none.
SELECT table_name FROM information_schema.tables WHERE table_schema = :schema AND table_type = 'BASE TABLE'
