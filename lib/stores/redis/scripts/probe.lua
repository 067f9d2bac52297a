-- SPDX-License-Identifier: MIT
-- Purpose: find out whether the account may do all that the scripts do, with keys of its own. One that is stopped in
--          the middle of a grant would leave a lease without end.
-- Arguments: session.
-- Answer: {1}; {0, command, error} it may not.
-- First what needs no memory: behind a write, a server that is full refuses none.
local steps = {
  {'DEL', lease, queue, waiting, last}, {'TIME'}, {'SET', last, '1', 'PX', week}, {'GET', last}, {'EXISTS', lease}, {'HSET', lease, 'token', '0'},
  {'HGET', lease, 'token'}, {'HMGET', lease, 'token'}, {'PERSIST', lease}, {'PEXPIRE', lease, 1000}, {'PTTL', lease},
  {'HDEL', lease, 'token'}, {'ZADD', queue, 1, 'a'}, {'ZSCORE', queue, 'a'}, {'ZCARD', queue}, {'ZRANK', queue, 'a'},
  {'ZRANGE', queue, 0, 0}, {'ZRANGEBYSCORE', queue, 0, 1}, {'ZREM', queue, 'a'}, {'ZPOPMIN', queue},
  {'XADD', waiting, 'MAXLEN', '~', 1, '*', 'type', 'probe'}, {'PUBSUB', 'NUMSUB', channelOf(ARGV[1])},
  {'PUBLISH', channelOf(ARGV[1]), 'probe'}, {'DEL', lease, queue, waiting, last}}
for _, step in ipairs(steps) do
  local answer = redis.pcall(unpack(step))
  if type(answer) == 'table' and answer.err then
    redis.pcall('DEL', lease, queue, waiting, last)
    return {0, step[1], answer.err}
  end
end
return {1}
