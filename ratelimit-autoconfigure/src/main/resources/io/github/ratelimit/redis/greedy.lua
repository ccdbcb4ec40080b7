-- Greedy bucket: TOKEN_BUCKET that refills steadily, and LEAKY_BUCKET.
--
-- KEYS     one string (bucket_text.lua); missing = full
-- numbers  capacity, penalty, shadow, fingerprint, paced, ticks per microsecond,
--          one permit (sec, usec, ticks), the whole bucket (sec, usec, ticks)
-- facts    debt after the decision: sec, usec, ticks
--
-- Model. A permit takes T = period/permits, kept as an exact fraction. The bucket's debt D is the time until it is full;
-- a call of cost c is granted iff D + c*T <= B*T, and adds c*T. All that is stored is the instant now + D and, after a
-- cut to new numbers, what others see (bucket_text.lua). Times are triples (seconds, microseconds, ticks of 1/n
-- microsecond), each part small enough to be exact whatever the limit.
--
-- Example: 3 permits per second, T = 333333 1/3 us. Three calls at once leave D = 1000000 us; the fourth would need
-- D <= 666666 2/3 us, that is, after 333333 1/3 us: told as 333334.

local function later(a_sec, a_usec, a_tick, b_sec, b_usec, b_tick)
  if a_sec ~= b_sec then
    return a_sec > b_sec
  end
  if a_usec ~= b_usec then
    return a_usec > b_usec
  end
  return a_tick > b_tick
end

-- the time that a number of permits takes; cost * tick stays below 2^53 for every accepted limit
local function time_of(s, cost)
  if cost == 1 then
    return s.t_sec, s.t_usec, s.t_tick
  end
  local tick = cost * s.t_tick
  local carry = floor(tick / s.n)
  local micro = cost * s.t_usec + carry
  local second = floor(micro / 1e6)
  return cost * s.t_sec + second, micro - second * 1e6, tick - carry * s.n
end

local function plus(s, a_sec, a_usec, a_tick, b_sec, b_usec, b_tick)
  local second, micro, tick = a_sec + b_sec, a_usec + b_usec, a_tick + b_tick
  if tick >= s.n then
    tick, micro = tick - s.n, micro + 1
  end
  if micro >= 1e6 then
    micro, second = micro - 1e6, second + 1
  end
  return second, micro, tick
end

local rate = { 42, 73 }

local function look(key, numbers)
  local capacity, penalty, shadow, fingerprint, paced, n, t_sec, t_usec, t_tick, b_sec, b_usec, b_tick =
    struct.unpack('<dddddddddddd', numbers, 2)
  local d_sec, d_usec, d_tick, lock, cut, healed = 0, 0, 0, 0, false, false
  local seen, own, fraction, stored_lock, others = read_bucket(key, numbers, rate, fingerprint, true)
  if seen then
    d_sec, d_usec, d_tick = seen[1] - sec, seen[2] - usec, fraction
    if d_tick >= n then
      d_usec, d_tick = d_usec + 1, 0
    end
    if d_usec < 0 then
      d_usec, d_sec = d_usec + 1e6, d_sec - 1
    elseif d_usec >= 1e6 then
      d_usec, d_sec = d_usec - 1e6, d_sec + 1
    end
    if d_sec < 0 then
      d_sec, d_usec, d_tick = 0, 0, 0
    elseif d_sec >= b_sec then
      if not own then
        -- other numbers wrote this: at most empty by the new ones
        if later(d_sec, d_usec, d_tick, b_sec, b_usec, b_tick) then
          d_sec, d_usec, d_tick, cut = b_sec, b_usec, b_tick, true
        end
      else
        local whole = b_tick > 0 and b_usec + 1 or b_usec
        local excess = (d_sec - b_sec) * 1e6 + d_usec - whole
        if excess > hour then
          d_sec, d_usec, d_tick, healed, stored_lock, others = 0, 0, 0, true, '', disbelieved(seen, fraction)
        end
      end
    end
    lock = lock_left(stored_lock, penalty)
    if cut or others then
      others = settle(others, cut and seen, d_sec == 0 and d_usec == 0 and d_tick == 0)
    end
  end
  return {
    key = key, capacity = capacity, penalty = penalty, shadow = shadow, fingerprint = fingerprint, paced = paced,
    n = n, t_sec = t_sec, t_usec = t_usec, t_tick = t_tick, b_sec = b_sec, b_usec = b_usec, b_tick = b_tick,
    d_sec = d_sec, d_usec = d_usec, d_tick = d_tick, lock = lock, cut = cut, healed = healed,
    others = others, moved_sec = 0, moved_usec = 0, numbers = numbers, rate = rate,
  }
end

local function ask(s, cost, wait)
  local second, micro, tick = plus(s, s.d_sec, s.d_usec, s.d_tick, time_of(s, cost))
  local wait_sec = floor(wait / 1e6)
  local wait_usec = wait - wait_sec * 1e6
  if s.paced == 1 then
    return not later(second, micro, tick, s.b_sec, s.b_usec, s.b_tick)
      and not later(s.d_sec, s.d_usec, s.d_tick, wait_sec, wait_usec, 0)
  end
  return not later(second, micro, tick, plus(s, s.b_sec, s.b_usec, s.b_tick, wait_sec, wait_usec, 0))
end

local function take(s, cost)
  local second, micro, tick = time_of(s, cost)
  s.d_sec, s.d_usec, s.d_tick = plus(s, s.d_sec, s.d_usec, s.d_tick, second, micro, tick)
  s.moved_sec, s.moved_usec = s.moved_sec + second, s.moved_usec + micro + (tick > 0 and 1 or 0)
end

local function save(s)
  if s.d_sec == 0 and s.d_usec == 0 and s.d_tick == 0 then
    write_unused(s)
  else
    write_bucket(s, sec + s.d_sec, usec + s.d_usec, s.d_tick)
  end
end

local function tell(s)
  return s.d_sec, s.d_usec, s.d_tick
end
