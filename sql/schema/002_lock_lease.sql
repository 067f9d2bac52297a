-- SPDX-License-Identifier: MIT
-- Purpose: one row per resource and slot, and in it who waits; the row stays when the lock is freed, so its token never
--          restarts.
-- Privileges: CREATE on the schema.
-- Parameters: none.
-- Units: *_at in UTC to the microsecond, *_us in microseconds, NULL ttl_us/expires_at = forever.
--
-- presence   user-level lock that the holder's process holds while it lives; '-' = free. Of one size, so that taking and
--            freeing change the row where it stands
-- kept       1 = released early but held until expires_at (minimum hold time)
-- arrivals   how many have joined the queue; the number of the last one
-- queue      who waits, one line each in the order of arrival, six fields with tabs between them: name (the user-level
--            lock that its process holds, and its presence when it is granted), number of its arrival, TTL in
--            microseconds (empty = forever), since when (microseconds since 1970, UTC), note in hexadecimal digits, owner
--            as JSON. See engine/join, which writes it, and engine/hand_over, which takes the first
CREATE TABLE IF NOT EXISTS lock_lease (
    resource    VARBINARY(255) NOT NULL,
    slot        SMALLINT NOT NULL DEFAULT 0,
    token       BIGINT UNSIGNED NOT NULL DEFAULT 0,
    presence    CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '-',
    kept        TINYINT NOT NULL DEFAULT 0,
    acquired_at DATETIME(6) NULL,
    expires_at  DATETIME(6) NULL,
    ttl_us      BIGINT UNSIGNED NULL,
    owner       VARBINARY(512) NULL,
    note        VARBINARY(1024) NULL,
    arrivals    BIGINT UNSIGNED NOT NULL DEFAULT 0,
    queue       MEDIUMBLOB NOT NULL DEFAULT (''),
    PRIMARY KEY (resource, slot)
) ENGINE = InnoDB
