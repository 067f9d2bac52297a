-- SPDX-License-Identifier: MIT
-- Purpose: wake a waiter that engine/waiting_for found: it connects again, looks, and finds that it holds the lock. Its
--          connection holds nothing else. KILL QUERY between two statements of a packet would make MariaDB end the
--          packet without an answer, and the waiter would hang.
-- Privileges: CONNECTION ADMIN (MySQL: CONNECTION_ADMIN) for another user's connection.
-- Parameters: connection.
-- Units: none.
KILL :connection
