-- SPDX-License-Identifier: MIT
-- Purpose: ask the holder of a lease for it.
-- Arguments: reason.
-- Answer: {1, owner} asked; {0} nobody holds it.
local now = redis.call('HMGET', lease, 'token', 'owner', 'session', 'kept')
if not now[1] or now[4] then return {0} end
redis.call('PUBLISH', channelOf(now[3]), 'ask ' .. now[1] .. ' ' .. #name .. ' ' .. name .. ARGV[1])
return {1, now[2]}
