-- SPDX-License-Identifier: MIT
-- Purpose: end a request, whether it waits or has been granted meanwhile.
-- Arguments: request, '1' = not if its process knows that it was granted.
-- Answer: {1} nothing of it is left; {2} call again.
redis.call('HDEL', waiting, ARGV[1])
if redis.call('ZREM', queue, ARGV[1]) == 1 then return {1} end
local now = redis.call('HMGET', lease, 'id', 'kept', 'known')
if now[3] and ARGV[2] == '1' then return {1} end
if now[1] == ARGV[1] and not now[2] and passOn() == 2 then return {2} end
return {1}
