-- SPDX-License-Identifier: MIT
-- Purpose: move the end of a lease, whose holder knows of it.
-- Arguments: token, ttl.
-- Answer: {1} moved; {0} the lease is not this one any more.
local now = redis.call('HMGET', lease, 'token', 'kept')
if now[1] ~= ARGV[1] or now[2] then return {0} end
-- First, for a server without memory refuses what may need some unless the script has written already.
endIn(ARGV[2])
redis.call('HSET', lease, 'ttl', ARGV[2], 'known', '1')
return {1}
