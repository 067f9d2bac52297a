-- SPDX-License-Identifier: MIT
-- Purpose: pass a lease on or free it; or keep it taken, though nobody holds it, until its minimum time is over. The
--          first waiter is told to look when that will be.
-- Arguments: token, ms to keep it ('0': none).
-- Answer: {1} released; {0} the lease is not this one any more; {2} call again.
local now = redis.call('HMGET', lease, 'token', 'kept')
if now[1] ~= ARGV[1] or now[2] then return {0} end
if ARGV[2] == '0' then
  if passOn() == 2 then return {2} end
  return {1}
end
redis.call('HSET', lease, 'kept', '1')
redis.call('PEXPIRE', lease, ARGV[2])
redis.call('ZREM', held, name)
redis.call('ZADD', kept, string.format('%.0f', microseconds() / 1000 + ARGV[2]), name)
local first = redis.call('ZRANGE', queue, 0, 0)[1]
local request = first and redis.call('HGET', waiting, first)
if request then redis.call('PUBLISH', channelOf(string.match(request, '^%S+')), 'look ' .. first) end
return {1}
