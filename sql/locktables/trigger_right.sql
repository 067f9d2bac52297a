-- SPDX-License-Identifier: MIT
-- Purpose: whether the account has the privilege TRIGGER on a table, without which it sees none of its triggers.
-- Privileges: none.
-- Parameters: schema, table.
-- Units: none.
--
-- Rights of a role are not there on MySQL: they count as missing.
SELECT EXISTS (SELECT 1 FROM information_schema.USER_PRIVILEGES
               WHERE PRIVILEGE_TYPE = 'TRIGGER' AND GRANTEE = w.grantee)
    OR EXISTS (SELECT 1 FROM information_schema.SCHEMA_PRIVILEGES
               WHERE PRIVILEGE_TYPE = 'TRIGGER' AND GRANTEE = w.grantee AND :schema LIKE TABLE_SCHEMA)
    OR EXISTS (SELECT 1 FROM information_schema.TABLE_PRIVILEGES
               WHERE PRIVILEGE_TYPE = 'TRIGGER' AND GRANTEE = w.grantee AND TABLE_SCHEMA = :schema
                   AND TABLE_NAME = :table)
FROM (SELECT CONCAT(QUOTE(LEFT(account, CHAR_LENGTH(account) - CHAR_LENGTH(host) - 1)), '@', QUOTE(host)) AS grantee
      FROM (SELECT CURRENT_USER() AS account, SUBSTRING_INDEX(CURRENT_USER(), '@', -1) AS host) AS a) AS w
