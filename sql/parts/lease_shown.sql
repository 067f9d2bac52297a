-- SPDX-License-Identifier: MIT
-- Purpose: the condition of leases that are not free and are looked for. One kept for its minimum time is free once that
--          time is over.
-- Parameters: contains, as in parts/matching.
presence <> '-'
    AND (kept = 0 OR expires_at > UTC_TIMESTAMP(6))
    AND {parts/matching}
