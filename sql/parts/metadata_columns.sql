-- SPDX-License-Identifier: MIT
-- Purpose: the columns of a metadata lock `m` and its thread `t`, in the order in which the console reads them.
m.object_type,
    m.object_schema,
    m.object_name,
    m.lock_type,
    m.lock_duration,
    m.lock_status = 'PENDING',
    t.processlist_id,
    m.owner_event_id,
    m.owner_thread_id
