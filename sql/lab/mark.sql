-- SPDX-License-Identifier: MIT
-- Purpose: says whose run the schema is of.
-- Privileges: INSERT on lab_run.
-- Parameters: host, pid.
-- Units: none.
INSERT INTO lab_run (host, pid) VALUES (:host, :pid)
