-- SPDX-License-Identifier: MIT
-- Purpose: the condition of rows with these bytes in resource, owner or note.
-- Parameters: contains (ASCII case folded; empty = all).
--
-- latin1 takes any byte, so the case-folding comparison cannot fail on names that are not text.
(:contains = ''
        OR INSTR(LOWER(CONVERT(resource USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0
        OR INSTR(LOWER(CONVERT(IFNULL(owner, '') USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0
        OR INSTR(LOWER(CONVERT(IFNULL(note, '') USING latin1)), LOWER(CONVERT(:contains USING latin1))) > 0)
