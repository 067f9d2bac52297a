-- SPDX-License-Identifier: MIT
-- Purpose: end a session, or its statement, by the procedure of a hosted server that keeps KILL for itself.
-- Privileges: EXECUTE on the procedure.
-- Parameters: procedure.
-- Units: none.
CALL :procedure(@lockscope_target)
