-- SPDX-License-Identifier: MIT
-- Purpose: read a part of a queue.
-- Arguments: number of the first request from 0, number of the last one.
-- Answer: {1, requests in the part, {request, ticket, subscribers, ttl, owner, note}, …} with those that say who waits.
local longest = 4096
local part = redis.call('ZRANGE', queue, ARGV[1], ARGV[2], 'WITHSCORES')
local answer = {1, #part / 2}
for i = 1, #part, 2 do
  local request = redis.call('HGET', waiting, part[i]) or ''
  local session, ttl, length, from = string.match(request, '^(%S+) (%d+) (%d+) ()')
  if session then
    local owner = string.sub(request, from, from + length - 1)
    answer[#answer + 1] = {part[i], part[i + 1], redis.call('PUBSUB', 'NUMSUB', channelOf(session))[2], ttl,
                           string.sub(owner, 1, longest), string.sub(request, from + length, from + length + longest)}
  end
end
return answer
