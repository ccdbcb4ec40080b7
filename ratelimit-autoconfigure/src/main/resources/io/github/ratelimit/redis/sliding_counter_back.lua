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

local function cancel(s, cost)
  return give(s, cost)
end
