-- Purpose: one row per resource and slot; the row stays when the lock is freed, so its token never restarts.
-- Privileges: CREATE on the schema.
-- Parameters: none.
-- Units: *_at in UTC to the microsecond, *_us in microseconds, NULL ttl_us/expires_at = forever.
--
-- presence   user-level lock that the holder's process holds while it lives; '-' = free. Of one size, so that taking and
--            freeing change the row where it stands
-- waited     1 = somebody queues, so the one-packet acquire and release do not apply; 2 = and there was a ticket
-- kept       1 = released early but held until expires_at (minimum hold time)
-- heir_*     the first waiter; a release hands the row to it in one single-row update. With heir_presence and heir_place
--            NULL there is none, whatever the other heir_* columns still say
CREATE TABLE IF NOT EXISTS lock_lease (
    resource        VARBINARY(255) NOT NULL,
    slot            SMALLINT NOT NULL DEFAULT 0,
    token           BIGINT UNSIGNED NOT NULL DEFAULT 0,
    presence        CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '-',
    waited          TINYINT NOT NULL DEFAULT 0,
    kept            TINYINT NOT NULL DEFAULT 0,
    acquired_at     DATETIME(6) NULL,
    expires_at      DATETIME(6) NULL,
    ttl_us          BIGINT UNSIGNED NULL,
    owner           VARBINARY(512) NULL,
    note            VARBINARY(1024) NULL,
    heir_presence   VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
    heir_place      VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
    heir_ttl_us     BIGINT UNSIGNED NULL,
    heir_owner      VARBINARY(512) NULL,
    heir_note       VARBINARY(1024) NULL,
    heir_connection BIGINT UNSIGNED NULL,
    heir_since      DATETIME(6) NULL,
    PRIMARY KEY (resource, slot)
) ENGINE = InnoDB
