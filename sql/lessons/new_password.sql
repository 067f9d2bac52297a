-- SPDX-License-Identifier: MIT
-- Purpose: a password of the account of a run that ends, by which it is logged in to once more: a lesson may have changed the
--          one before. As in lessons/make.
-- Privileges: those of lessons/make.
-- Parameters: user, host, password.
-- Units: none.
ALTER USER :user@:host IDENTIFIED BY 'Ls-1':password ACCOUNT UNLOCK
