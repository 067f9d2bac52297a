-- SPDX-License-Identifier: MIT
-- Purpose: whether the server applies another one's changes.
-- Privileges: SELECT on performance_schema.
-- Parameters: none.
-- Units: none.
SELECT COUNT(*) FROM performance_schema.replication_connection_status WHERE service_state = 'ON'
