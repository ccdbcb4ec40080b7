-- Denies a key every cost of 1 or more for a while; an earlier lock that lasts longer stays.
--
-- KEYS     one
-- ARGV     the limit's numbers (packed, see the algorithm); how long, in microseconds
-- reply    what is left of the lock in microseconds

local s = look(KEYS[1], ARGV[1])
local wanted = tonumber(ARGV[2])
if wanted > s.lock then
  s.lock = wanted
  save(s)
end
return {s.lock}
