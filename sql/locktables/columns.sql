-- SPDX-License-Identifier: MIT
-- Purpose: the columns of a table, and which of them an index begins with.
-- Privileges: none; columns that the account may not use are not there.
-- Parameters: schema, table, exact (the same bytes, for names that differ only in case).
-- Units: none.
--
-- my_row_id is what MySQL adds to a table without a primary key (sql_generate_invisible_primary_key).
SELECT COLUMN_NAME, DATA_TYPE, COLUMN_KEY <> ''
FROM information_schema.COLUMNS
WHERE TABLE_SCHEMA = :schema AND TABLE_NAME = :table AND CAST(TABLE_NAME AS BINARY) = :exact
    AND NOT (COLUMN_NAME = 'my_row_id' AND EXTRA LIKE '%INVISIBLE%')
ORDER BY ORDINAL_POSITION
