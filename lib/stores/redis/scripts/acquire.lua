-- SPDX-License-Identifier: MIT
-- Purpose: take a lease that is free and that nobody waits for, or join its queue.
-- Arguments: request, session, ttl, owner, note, '1' = it waits.
-- Answer: {1, token} it is the caller's; {0} it is not; {0, ms to its end, place} and the request waits; {2} call
--         again.
local id, session, ttl, owner, note = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
if redis.call('EXISTS', lease) == 0 then
  local promoted = promote()
  if promoted == 2 then return {2} end
  if promoted == 0 then return {1, grant(id, session, ttl, ttl, owner, note, '0')} end
else
  redis.call('HGET', lease, 'token') -- which fails where another program has put something else there
end
if ARGV[6] ~= '1' then return {0} end
redis.call('ZADD', queue, newToken(), id)
redis.call('HSET', waiting, id, session .. ' ' .. ttl .. ' ' .. #owner .. ' ' .. owner .. note)
redis.call('PEXPIRE', queue, week)
redis.call('PEXPIRE', waiting, week)
return {0, redis.call('PTTL', lease), redis.call('ZCARD', queue) - 1}
