-- SPDX-License-Identifier: MIT
-- Purpose: the connections of a run, by the schema that they use.
-- Privileges: PROCESS for those of other users; one's own need none.
-- Parameters: schema.
-- Units: none.
SELECT id FROM information_schema.processlist WHERE db = :schema AND id <> CONNECTION_ID()
