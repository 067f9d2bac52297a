-- Purpose: the queue behind the heir: one ticket per waiting request, in the order of `ticket`.
-- Privileges: CREATE on the schema.
-- Parameters: none.
-- Units: since in UTC to the microsecond, ttl_us in microseconds, NULL = forever.
--
-- place      user-level lock that the waiter's process holds; a ticket whose place is free is dead
-- presence   user-level lock that becomes the lease's presence when the ticket is granted
CREATE TABLE IF NOT EXISTS lock_waiter (
    ticket   BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    resource VARBINARY(255) NOT NULL,
    slot     SMALLINT NOT NULL DEFAULT 0,
    presence VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    place    VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    ttl_us   BIGINT UNSIGNED NULL,
    owner    VARBINARY(512) NULL,
    note     VARBINARY(1024) NULL,
    since    DATETIME(6) NOT NULL,
    PRIMARY KEY (ticket),
    KEY by_resource (resource, slot, ticket)
) ENGINE = InnoDB
