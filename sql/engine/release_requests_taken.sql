-- Purpose: remove what was told.
-- Privileges: SELECT, DELETE on lock_release_request.
-- Parameters: session, last.
-- Units: none.
DELETE FROM lock_release_request WHERE session = :session AND id <= :last
