-- SPDX-License-Identifier: MIT
-- Purpose: keeps everybody from logging in to the account of a run that ends: what is found there then is all that there is.
-- Privileges: those of lessons/make.
-- Parameters: schema, user, host.
-- Units: none.
ALTER USER :user@:host ACCOUNT LOCK
