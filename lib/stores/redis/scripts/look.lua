-- SPDX-License-Identifier: MIT
-- Purpose: what became of a request. A lease that has ended goes to the first waiter.
-- Arguments: request.
-- Answer: {1, token} it has the lease; {0, ms to the lease's end, place} it waits; {-1} neither; {2} call again.
if redis.call('EXISTS', lease) == 0 and promote() == 2 then return {2} end
local now = redis.call('HMGET', lease, 'id', 'token', 'kept')
if now[1] == ARGV[1] and not now[3] then return {1, now[2]} end
local place = redis.call('ZRANK', queue, ARGV[1])
if not place then return {-1} end
redis.call('PEXPIRE', queue, week)
redis.call('PEXPIRE', waiting, week)
return {0, redis.call('PTTL', lease), place}
