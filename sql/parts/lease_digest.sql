-- SPDX-License-Identifier: MIT
-- Purpose: 32 bits of all that changes in a lease, but for who holds its name: nothing in lock_lease tells when a row was
--          written.
CRC32(CONCAT(resource, '|', slot, '|', token, '|', presence, kept, queue, IFNULL(expires_at, '')))
