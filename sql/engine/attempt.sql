-- SPDX-License-Identifier: MIT
-- Purpose: add what was counted since the last time. One row follows per resource, as engine/attempt_row and in the order
--          of the primary key, so that engines cannot deadlock with each other; then engine/attempt_add.
-- Privileges: INSERT, UPDATE on lock_attempt.
-- Parameters: none.
-- Units: none.
INSERT INTO lock_attempt (resource, commits, conflicts, retries, first_at, updated_at) VALUES
