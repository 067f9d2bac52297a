-- SPDX-License-Identifier: MIT
-- Purpose: the columns of each index of a lesson's tables, with the types that their bytes are read by.
-- Privileges: SELECT on the schema.
-- Parameters: schema.
-- Units: none.
SELECT s.table_name, s.index_name, c.column_name, c.data_type, c.column_type
FROM information_schema.statistics s
JOIN information_schema.columns c
  ON c.table_schema = s.table_schema AND c.table_name = s.table_name AND c.column_name = s.column_name
WHERE s.table_schema = :schema
ORDER BY s.table_name, s.index_name, s.seq_in_index
