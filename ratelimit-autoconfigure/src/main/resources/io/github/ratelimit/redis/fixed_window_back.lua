-- Fixed window, what a plain call does not need: how many permits are there, and giving them back.

local function most(s)
  return max(0, s.capacity - s.used)
end

local function give(s, count)
  local given = min(count, s.used)
  s.used = s.used - given
  return given
end

-- gives back what was charged at that instant, as long as its window lasts
local function cancel(s, cost, due_sec, due_usec)
  local due = due_sec * 1e6 + due_usec
  return due >= s.ends - s.period and due < s.ends and give(s, cost) or 0
end
