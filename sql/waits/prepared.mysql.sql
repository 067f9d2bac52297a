-- SPDX-License-Identifier: MIT
-- Purpose: the names of the prepared transactions, with or without a session; in hexadecimal digits.
-- Privileges: XA_RECOVER_ADMIN; error 1401 without.
-- Parameters: none.
-- Units: none.
XA RECOVER CONVERT XID
