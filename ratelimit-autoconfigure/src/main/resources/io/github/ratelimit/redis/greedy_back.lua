-- Greedy bucket, what a plain call does not need: how many permits are there, and giving them back.

local function minus(s, a_sec, a_usec, a_tick, b_sec, b_usec, b_tick)
  local second, micro, tick = a_sec - b_sec, a_usec - b_usec, a_tick - b_tick
  if tick < 0 then
    tick, micro = tick + s.n, micro - 1
  end
  if micro < 0 then
    micro, second = micro + 1e6, second - 1
  end
  if second < 0 then
    return 0, 0, 0
  end
  return second, micro, tick
end

-- how many whole permits' time fits into a time: estimated, then put right exactly
local function permits_in(s, a_sec, a_usec, a_tick)
  local micros = a_sec * 1e6 + a_usec + a_tick / s.n
  local permit = s.t_sec * 1e6 + s.t_usec + s.t_tick / s.n
  local count = max(0, floor(micros / permit))
  local function exceeds(permits)
    local c_sec, c_usec, c_tick = time_of(s, permits)
    return later(c_sec, c_usec, c_tick, a_sec, a_usec, a_tick)
  end
  while count > 0 and exceeds(count) do
    count = count - 1
  end
  while not exceeds(count + 1) do
    count = count + 1
  end
  return count
end

local function most(s)
  return permits_in(s, minus(s, s.b_sec, s.b_usec, s.b_tick, s.d_sec, s.d_usec, s.d_tick))
end

-- how many permits' time covers a time
local function permits_over(s, a_sec, a_usec, a_tick)
  local count = permits_in(s, a_sec, a_usec, a_tick)
  local c_sec, c_usec, c_tick = time_of(s, count)
  return later(a_sec, a_usec, a_tick, c_sec, c_usec, c_tick) and count + 1 or count
end

-- gives a time back, at most the whole debt
local function give_time(s, a_sec, a_usec, a_tick)
  local d_sec, d_usec, d_tick = minus(s, s.d_sec, s.d_usec, s.d_tick, a_sec, a_usec, a_tick)
  local second, micro, tick = minus(s, s.d_sec, s.d_usec, s.d_tick, d_sec, d_usec, d_tick)
  s.moved_sec, s.moved_usec = s.moved_sec - second, s.moved_usec - micro
  s.d_sec, s.d_usec, s.d_tick = d_sec, d_usec, d_tick
  return second, micro, tick
end

local function give(s, count)
  local given = min(count, permits_over(s, s.d_sec, s.d_usec, s.d_tick))
  give_time(s, time_of(s, given))
  return given
end

-- takes back what was lent at an instant, of a bucket that would be full then had nobody come later: what time has not
-- repaid; once others came what it would not have repaid of this alone, of a call that has ended only if that is nothing.
-- Nothing while others wait behind it, and nothing where the clock is back before the charge
local function take_back(s, cost, full_sec, full_usec, full_tick, at, ended)
  local at_sec = floor(at / 1e6)
  local at_usec = at - at_sec * 1e6
  if later(at_sec, at_usec, 0, sec, usec, 0) or later(s.d_sec, s.d_usec, s.d_tick, s.b_sec, s.b_usec, s.b_tick) then
    return 0
  end
  local o_sec, o_usec, o_tick = minus(s, full_sec, full_usec, full_tick, sec, usec, 0)
  local c_sec, c_usec, c_tick = time_of(s, cost)
  if s.d_sec ~= o_sec or s.d_usec ~= o_usec or s.d_tick ~= o_tick then
    local l_sec, l_usec, l_tick = minus(s, c_sec, c_usec, c_tick, minus(s, sec, usec, 0, at_sec, at_usec, 0))
    if not ended or l_sec + l_usec + l_tick == 0 then
      c_sec, c_usec, c_tick = l_sec, l_usec, l_tick
    elseif later(c_sec, c_usec, c_tick, o_sec, o_usec, o_tick) then
      c_sec, c_usec, c_tick = o_sec, o_usec, o_tick
    end
  end
  return permits_over(s, give_time(s, c_sec, c_usec, c_tick))
end

-- gives back what nobody reserved after the reservation that is due then
local function cancel(s, cost, due_sec, due_usec, due_tick, lent, at)
  if lent > 0 then
    return take_back(s, cost, due_sec, due_usec, due_tick, at, lent == 2)
  end
  local whole = due_tick > 0 and due_usec + 1 or due_usec
  if later(sec, usec, 0, due_sec, whole, 0) then
    return 0
  end
  -- the debt that the reservation itself left, as it would be now had nobody come later
  local o_sec, o_usec, o_tick
  if s.paced == 1 then
    o_sec, o_usec, o_tick = plus(s, due_sec, due_usec, due_tick, time_of(s, cost))
  else
    o_sec, o_usec, o_tick = plus(s, due_sec, due_usec, due_tick, s.b_sec, s.b_usec, s.b_tick)
  end
  o_sec, o_usec, o_tick = minus(s, o_sec, o_usec, o_tick, sec, usec, 0)
  local a_sec, a_usec, a_tick = minus(s, s.d_sec, s.d_usec, s.d_tick, o_sec, o_usec, o_tick)
  return give(s, max(0, cost - permits_over(s, a_sec, a_usec, a_tick)))
end
