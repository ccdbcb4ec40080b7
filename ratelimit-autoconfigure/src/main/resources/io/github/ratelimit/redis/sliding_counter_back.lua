-- Sliding window counter, what a plain call does not need: how many permits are there, and giving them back.

local function most(s)
  local full, leaving = sum(s.counts, 1, s.slots), s.counts[s.slots + 1]
  return max(0, s.capacity - full - (s.strict and leaving or weight(s, leaving)))
end

local function give(s, count)
  local left = count
  for i = 1, s.slots + 1 do
    local given = min(left, s.counts[i])
    s.counts[i], left = s.counts[i] - given, left - given
  end
  return count - left
end

-- gives back what was charged in the slot of that instant, as long as it counts
local function cancel(s, cost, due_sec, due_usec)
  local i = s.slot - floor((due_sec * 1e6 + due_usec) / s.width) + 1
  local count = s.counts[i] or 0
  local given = min(cost, count)
  if given > 0 then
    s.counts[i] = count - given
  end
  return given
end
