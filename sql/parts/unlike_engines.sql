-- SPDX-License-Identifier: MIT
-- Purpose: the condition of user-level locks that are not those by which engines tell that they live (MySQL).
(LEFT(object_name, 3) <> 'ls:'
            OR IFNULL(LENGTH(UNHEX(SUBSTR(object_name, 4, 32))), 0) <> 16
            OR SUBSTR(object_name, 36, 1) <> ':')
