-- SPDX-License-Identifier: MIT
-- Purpose: what the programs behind these sessions said of themselves when they connected.
-- Privileges: SELECT on performance_schema; error 1142 without.
-- Parameters: ids (a list).
-- Units: none.
SELECT processlist_id, attr_name, attr_value
FROM performance_schema.session_connect_attrs
WHERE processlist_id IN (:ids) AND attr_name IN ('program_name', '_client_name', '_pid')
