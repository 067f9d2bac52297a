-- SPDX-License-Identifier: MIT
-- Purpose: end somebody's lease, on record, and tell whoever had it.
-- Arguments: token, the operator's name, reason.
-- Answer: {1} ended; {0} the lease is not this one any more; {2} call again.
local now = redis.call('HMGET', lease, 'token', 'owner', 'session')
if now[1] ~= ARGV[1] then return {0} end
if passOn() == 2 then return {2} end
redis.call('ZREM', kept, name)
record('force', now[1], 'owner', now[2], 'operator', ARGV[2], 'reason', ARGV[3])
redis.call('PUBLISH', channelOf(now[3]), 'lost ' .. now[1] .. ' ' .. name)
return {1}
