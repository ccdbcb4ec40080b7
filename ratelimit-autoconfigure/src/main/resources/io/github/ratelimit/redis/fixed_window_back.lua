-- Fixed window, what a plain call does not need: how many permits are there, and giving them back.

local function most(s)
  return max(0, s.capacity - s.used)
end

local function give(s, count)
  local given = min(count, s.used)
  s.used = s.used - given
  return given
end

local function cancel(s, cost)
  return give(s, cost)
end
