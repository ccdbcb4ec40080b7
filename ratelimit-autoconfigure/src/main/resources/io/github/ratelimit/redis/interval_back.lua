-- Interval bucket, what a plain call does not need: how many permits are there, and giving them back.

local function most(s)
  return max(0, s.capacity - s.deficit)
end

local function give(s, count)
  local given = min(count, s.deficit)
  local second, micro, part = time_of(s, given)
  s.deficit = s.deficit - given
  s.moved_sec, s.moved_usec = s.moved_sec - second, s.moved_usec - micro - floor(part)
  return given
end

-- gives back what nobody reserved after the reservation that is due then
local function cancel(s, cost, due_sec, due_usec)
  local due = due_sec * 1e6 + due_usec
  if now > due then
    return 0
  end
  -- the deficit that the reservation itself left: it is due when no more than the capacity is missing
  local own = s.capacity + s.permits * max(0, floor((due - s.tick) / s.period))
  return give(s, max(0, cost - max(0, s.deficit - own)))
end
