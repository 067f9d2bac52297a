-- SPDX-License-Identifier: MIT
-- Purpose: inside the transaction of engine/end, behind engine/hand_over: record who ended the lease and why.
-- Privileges: INSERT on lock_event.
-- Parameters: resource, slot, token, operator, reason.
-- Units: none.
SET @ended = ROW_COUNT();
INSERT INTO lock_event (at, kind, resource, slot, token, owner, operator, reason)
SELECT UTC_TIMESTAMP(6), 'force_release', :resource, :slot, :token, @old_owner, :operator, :reason
FROM DUAL WHERE @ended = 1
