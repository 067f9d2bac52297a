-- SPDX-License-Identifier: MIT
-- Purpose: is it still the transaction that locked the row? Error 1305 when it is not. Resets the session's idle time.
-- Privileges: none.
-- Parameters: none.
-- Units: none.
RELEASE SAVEPOINT lockscope;
SAVEPOINT lockscope
