-- The store's time.
--
-- sec, usec: Redis TIME. now: the same as one number of microseconds, exact until the year 2255.
-- Millions of microseconds are written 1e6; every whole number here stays below 2^53, where Lua's numbers are exact.
local time = redis.call('TIME')
local sec, usec = tonumber(time[1]), tonumber(time[2])
local now = sec * 1e6 + usec
