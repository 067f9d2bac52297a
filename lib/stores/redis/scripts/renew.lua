-- SPDX-License-Identifier: MIT
-- Purpose: move the end of a lease, whose holder knows of it.
-- Arguments: token, ttl, number: of two renewals the later one has the larger. One that arrives after a later one
--            changes nothing.
-- Answer: {1} moved; {0} the lease is not this one any more.
local now = redis.call('HMGET', lease, 'token', 'kept', 'renewal')
if now[1] ~= ARGV[1] or now[2] then return {0} end
if now[3] and tonumber(now[3]) > tonumber(ARGV[3]) then return {1} end
-- First, for a server without memory refuses what may need some unless the script has written already.
endIn(ARGV[2])
redis.call('HSET', lease, 'ttl', ARGV[2], 'known', '1', 'renewal', ARGV[3])
return {1}
