-- SPDX-License-Identifier: MIT
-- Purpose: the condition of metadata locks and user-level locks that are not those by which engines tell that they live
--          (MySQL).
(object_schema IS NOT NULL
        OR UNHEX(SUBSTR(object_name, 4, 32)) IS NULL
        OR IFNULL(LEFT(object_name, 3), '') <> 'ls:')
