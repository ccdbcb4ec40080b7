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

-- takes back what was lent at an instant, of a bucket that would be full at that tick had nobody come later: what the ticks
-- have not repaid; once others came what they would not have repaid of this alone, of a call that has ended only if that is
-- nothing. Nothing while others wait behind it, and nothing where the clock is back before the charge
local function take_back(s, cost, full_sec, full_usec, slack, at, ended)
  if at > now or s.deficit > s.capacity then
    return 0
  end
  local tick_sec = floor(s.tick / 1e6)
  local ahead = (full_sec - tick_sec) * 1e6 + full_usec - (s.tick - tick_sec * 1e6)
  local unpaid = 0
  if ahead > s.since then
    local ticks = ahead < 2 ^ 53 and ceil(ahead / s.period) or floor(ahead / s.period + 0.5)
    unpaid = max(0, ticks * s.permits - slack)
  end
  if s.deficit ~= unpaid then
    local ticks_since = (s.tick - (at - at % s.period)) / s.period
    local left = max(0, cost - ticks_since * s.permits)
    return give(s, ended and left > 0 and min(cost, unpaid) or left)
  end
  return give(s, cost)
end

-- gives back what nobody reserved after the reservation that is due then
local function cancel(s, cost, due_sec, due_usec, due_tick, lent, at)
  if lent > 0 then
    return take_back(s, cost, due_sec, due_usec, due_tick, at, lent == 2)
  end
  local due = due_sec * 1e6 + due_usec
  if now > due then
    return 0
  end
  -- the deficit that the reservation itself left: it is due when no more than the capacity is missing
  local own = s.capacity + s.permits * max(0, floor((due - s.tick) / s.period))
  return give(s, max(0, cost - max(0, s.deficit - own)))
end
