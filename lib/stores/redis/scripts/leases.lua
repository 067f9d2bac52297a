-- SPDX-License-Identifier: MIT
-- Purpose: read leases.
-- Keys: of any number of leases each itself and its queue; none of the others.
-- Answer: {1, server's time in microseconds, {number of the lease from 0, token, owner, note, since, ms to its end,
--         subscribers, ttl, '1' = kept, requests in its queue}, …} with those that are taken; {number} alone of what has
--         a lease's name and is none.
local longest = 4096 -- of what another program may have put there
local function isOfAnotherType(answer)
  return type(answer) == 'table' and answer.err and string.find(answer.err, 'WRONGTYPE', 1, true)
end
local answer = {1, string.format('%.0f', microseconds())}
for i = 1, #KEYS, 2 do
  local key, number = KEYS[i], (i - 1) / 2
  local now = redis.pcall('HMGET', key, 'token', 'owner', 'note', 'since', 'session', 'ttl', 'kept')
  local waits = redis.pcall('ZCARD', KEYS[i + 1])
  if isOfAnotherType(now) or isOfAnotherType(waits) then
    answer[#answer + 1] = {number}
  elseif now.err then
    return now
  elseif type(waits) == 'table' then
    return waits
  elseif now[1] then
    for part = 1, 7 do now[part] = string.sub(now[part] or '', 1, longest) end
    answer[#answer + 1] = {number, now[1], now[2], now[3], now[4], redis.call('PTTL', key),
                           redis.call('PUBSUB', 'NUMSUB', channelOf(now[5]))[2], now[6], now[7], waits}
  elseif redis.call('EXISTS', key) == 1 then
    answer[#answer + 1] = {number}
  end
end
return answer
