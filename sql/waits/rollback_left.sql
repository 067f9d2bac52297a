-- SPDX-License-Identifier: MIT
-- Purpose: how many rows a transaction has still to undo; none = it has ended.
-- Privileges: PROCESS.
-- Parameters: transaction.
-- Units: none.
SELECT trx_rows_modified FROM information_schema.innodb_trx WHERE trx_id = :transaction
