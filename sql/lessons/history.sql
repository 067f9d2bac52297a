-- SPDX-License-Identifier: MIT
-- Purpose: how many changes wait for purge: rows that are deleted and not yet purged take locks of their own.
-- Privileges: PROCESS.
-- Parameters: none.
-- Units: none.
SELECT count FROM information_schema.innodb_metrics WHERE name = 'trx_rseg_history_len'
