-- SPDX-License-Identifier: MIT
-- Purpose: says whose run the schema is of.
-- Privileges: INSERT on lab_run.
-- Parameters: host, pid, boot (which start of the host).
-- Units: none.
INSERT INTO lab_run (host, pid, boot) VALUES (:host, :pid, :boot)
