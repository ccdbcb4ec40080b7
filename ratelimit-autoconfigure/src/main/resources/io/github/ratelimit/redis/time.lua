-- The store's time, and the only places where a key is written with its time to live.
--
-- sec, usec: Redis TIME. now: the same as one number of microseconds, exact until the year 2255.
-- Millions of microseconds are written 1e6; every whole number here stays below 2^53, where Lua's numbers are exact.
local time = redis.call('TIME')
local sec, usec = tonumber(time[1]), tonumber(time[2])
local now = sec * 1e6 + usec

local function write(key, text, ttl)
  redis.call('PSETEX', key, ttl, text)
end

local function expire(key, ttl)
  redis.call('PEXPIRE', key, ttl)
end
