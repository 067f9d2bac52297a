-- Purpose: let the server read and resolve a statement once for the whole session.
-- Privileges: those of the statement.
-- Parameters: name, sql (with a ? for each value).
-- Units: none.
PREPARE :name FROM :sql
