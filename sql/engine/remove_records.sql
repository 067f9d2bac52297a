-- SPDX-License-Identifier: MIT
-- Purpose: remove such a batch. Every cleaner goes the same way along the primary key, so none deadlocks with another.
-- Privileges: SELECT, DELETE on the table.
-- Parameters: table, time (identifiers), first, last, age.
-- Units: age in microseconds.
DELETE FROM :table
WHERE id BETWEEN :first AND :last AND :time < UTC_TIMESTAMP(6) - INTERVAL :age MICROSECOND
ORDER BY id LIMIT 500
