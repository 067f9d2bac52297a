-- SPDX-License-Identifier: MIT
-- Purpose: behind engine/hand_over and its event: what became of the lease, and who is to be woken.
-- Result:  held (0: it was not the lease any more), ended (0: the first in the queue is dead, see engine/drop_dead),
--          the presence that its waiters wait for, and that of the one who has it now; NULL: nobody has.
-- Privileges: SELECT on lock_lease.
-- Parameters: resource, slot.
-- Units: none.
SELECT @held, @ended, @old, (SELECT presence FROM lock_lease
                             WHERE resource = :resource AND slot = :slot AND presence <> '-')
