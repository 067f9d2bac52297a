-- SPDX-License-Identifier: MIT
-- Purpose: record that a holder found its lease gone.
-- Privileges: INSERT on lock_event.
-- Parameters: kind, resource, slot, token, owner, reason.
-- Units: none.
INSERT INTO lock_event (at, kind, resource, slot, token, owner, reason)
VALUES (UTC_TIMESTAMP(6), :kind, :resource, :slot, :token, :owner, :reason)
