-- SPDX-License-Identifier: MIT
-- Purpose: the columns of each index of a schema's tables, with the types that their bytes are read by.
-- Privileges: SELECT on the schema.
-- Parameters: schema.
-- Units: none.
SELECT s.table_name, s.index_name, c.column_name, c.data_type, c.column_type
FROM information_schema.statistics s
JOIN information_schema.columns c
  -- Not as that of s: MariaDB would then read the columns of every schema (68 ms instead of 0.6).
  ON c.table_schema = :schema AND c.table_name = s.table_name AND c.column_name = s.column_name
WHERE s.table_schema = :schema
ORDER BY s.table_name, s.index_name, s.seq_in_index
