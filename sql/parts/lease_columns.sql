-- SPDX-License-Identifier: MIT
-- Purpose: what is shown of a lease, in the order of detail::LeaseColumn.
-- Units: times in microseconds since 1970 UTC, NULL = none; ttl in microseconds, NULL = forever.
resource,
    slot,
    token,
    kept,
    IS_USED_LOCK(presence),
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', acquired_at),
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', expires_at),
    ttl_us,
    owner,
    note,
    queue
