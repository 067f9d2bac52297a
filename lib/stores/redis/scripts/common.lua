-- SPDX-License-Identifier: MIT
-- Purpose: stands in front of every other script here.
-- Keys: 1 the lease, a hash that expires with it; 2 its queue, a sorted set of requests by ticket; 3 those requests, a
--       hash of "session ttl length owner note"; 4 the last token; 5 all leases by their end, for consoles; 6 a stream
--       of what happened to leases by others than their holders; 7 those that are kept, by their end, for consoles.
-- Units: TTLs in milliseconds, '0' = without end.
local lease, queue, waiting, last, held, events, kept = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local name = string.sub(lease, 12, -2)
local week = 604800000
local firstTtl = 500
local function microseconds()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end
local function channelOf(session)
  return 'lockscope:m:' .. session
end
-- Whoever waits or holds is subscribed to its channel for as long as it lives. What PUBLISH answers would count a
-- stranger who listens to everything.
local function isAlive(session)
  return redis.call('PUBSUB', 'NUMSUB', channelOf(session))[2] > 0
end
-- Grows with the clock, and by one where the clock does not.
local function newToken()
  local now = microseconds()
  local before = tonumber(redis.call('GET', last) or '0')
  if now <= before then now = before + 1 end
  local token = string.format('%.0f', now)
  redis.call('SET', last, token, 'PX', week)
  return token
end
local function record(what, token, ...)
  redis.call('XADD', events, 'MAXLEN', '~', 10000, '*', 'type', what, 'resource', name, 'token', token, ...)
end
local function endIn(ttl)
  if ttl == '0' then
    redis.call('PERSIST', lease)
    redis.call('ZADD', held, '+inf', name)
  else
    redis.call('PEXPIRE', lease, ttl)
    redis.call('ZADD', held, string.format('%.0f', microseconds() / 1000 + ttl), name)
  end
end
-- Leases that ended by themselves and that nobody took since.
local function forgetOld()
  local hourAgo = string.format('%.0f', microseconds() / 1000 - 3600000)
  for _, index in ipairs({held, kept}) do
    local old = redis.call('ZRANGEBYSCORE', index, '-inf', hourAgo, 'LIMIT', 0, 100)
    if #old > 0 then redis.call('ZREM', index, unpack(old)) end
  end
end
local function grant(id, session, ttl, first, owner, note, ticket)
  local token = newToken()
  if redis.call('DEL', lease) == 0 and redis.call('ZSCORE', held, name) then
    record('takeover', token, 'owner', owner)
  end
  redis.call('ZREM', kept, name)
  redis.call('HSET', lease, 'token', token, 'id', id, 'session', session, 'owner', owner, 'note', note, 'ttl', ttl,
             'since', string.format('%.0f', microseconds()), 'ticket', ticket)
  endIn(first)
  if token % 256 == 0 then forgetOld() end
  return token
end
-- 1: the lease belongs to the first waiter that lives, and that one is told; 0: nobody waits; 2: more dead ones than
-- one script may look at, so call again. Until the waiter says that it knows, it has it for firstTtl.
local function promote()
  for _ = 1, 500 do
    local first = redis.call('ZPOPMIN', queue)
    if #first == 0 then return 0 end
    local id, ticket = first[1], first[2]
    local request = redis.call('HGET', waiting, id)
    redis.call('HDEL', waiting, id)
    if request then
      local session, ttl, length, from = string.match(request, '^(%S+) (%d+) (%d+) ()')
      if isAlive(session) then
        local owner = string.sub(request, from, from + length - 1)
        local note = string.sub(request, from + length)
        local short = (ttl == '0' or tonumber(ttl) > firstTtl) and tostring(firstTtl) or ttl
        local token = grant(id, session, ttl, short, owner, note, ticket)
        redis.call('PUBLISH', channelOf(session), 'grant ' .. id .. ' ' .. token .. ' ' .. name)
        return 1
      end
    end
  end
  return 2
end
-- As promote; with nobody to pass it on to, the lease is free.
local function passOn()
  local promoted = promote()
  if promoted == 0 then
    redis.call('DEL', lease)
    redis.call('ZREM', held, name)
  end
  return promoted
end
