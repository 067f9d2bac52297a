-- SPDX-License-Identifier: MIT
-- Purpose: the columns of each index of one table, with the types that their bytes are read by.
-- Privileges: SELECT on the table.
-- Parameters: schema, table.
-- Units: none.
SELECT s.table_name, s.index_name, c.column_name, c.data_type, c.column_type
FROM information_schema.statistics s
JOIN information_schema.columns c
  -- Not as those of s: MariaDB would then read the columns of every schema.
  ON c.table_schema = :schema AND c.table_name = :table AND c.column_name = s.column_name
WHERE s.table_schema = :schema AND s.table_name = :table
ORDER BY s.index_name, s.seq_in_index
