-- SPDX-License-Identifier: MIT
-- Purpose: the names of the prepared transactions, with or without a session.
-- Privileges: none.
-- Parameters: none.
-- Units: none.
XA RECOVER FORMAT='SQL'
