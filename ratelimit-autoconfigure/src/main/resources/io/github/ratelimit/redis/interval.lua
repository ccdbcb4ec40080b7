-- Interval bucket: TOKEN_BUCKET that gets all permits of a period at once, at each tick k*P of the clock.
--
-- KEYS     one string (bucket_text.lua); missing = full; the fraction is the slack
-- numbers  capacity, penalty, shadow, fingerprint, period P in microseconds, permits N per tick
-- facts    deficit after the decision, microseconds since the last tick, 0
--
-- Model. What counts is the deficit u, the permits missing in the bucket. It is stored as the tick at which the bucket
-- will be full, ceil(u/N) ticks from now, and the slack, the permits that last tick brings too many.
--
-- Example: B = 10, N = 4, P = 1 s. After 10 permits at 0.3 s the deficit is 10: full at the third tick, slack 2.

local rate = { 34, 49 }

-- whether an instant lies further off than an hour and so many ticks, one more where these numbers have perhaps cut what
-- others moved
local function too_far(view, ticks, period_sec, period_usec)
  return (view[1] - sec - ticks * period_sec) * 1e6 + view[2] - usec - ticks * period_usec > hour
end

local function look(key, numbers)
  local capacity, penalty, shadow, fingerprint, period, permits = struct.unpack('<dddddd', numbers, 2)
  local tick = floor(now / period) * period
  local since = now - tick
  local period_sec = floor(period / 1e6)
  local period_usec = period - period_sec * 1e6
  local deficit, lock, cut, healed = 0, 0, false, false
  local seen, own, slack, stored_lock, others, own_slack = read_bucket(key, numbers, rate, fingerprint, false)
  if seen then
    local full_sec, full_usec = seen[1], seen[2]
    local tick_sec = floor(tick / 1e6)
    local ahead = (full_sec - tick_sec) * 1e6 + full_usec - (tick - tick_sec * 1e6)
    if ahead > since then
      if not own then
        local most = capacity
        -- other numbers wrote this: full at the first tick of the new grid from then on, at most empty
        deficit = ceil(ahead / period) * permits
        if own_slack then
          -- these wrote before, and others have moved it since: between two ticks, maybe beyond 2^53
          local part = (full_sec - tick_sec) % period
          for _ = 1, 6 do
            part = part * 10 % period
          end
          part = (part + full_usec - (tick - tick_sec * 1e6)) % period
          deficit = max(0, floor((ahead - part) / period + 0.5) * permits + ceil(part * permits / period) - own_slack)
          -- at most empty now: of the time since the tick others may have used some
          most = capacity + ceil(since * permits / period)
        end
        if deficit > most then
          deficit, cut = most, true
        end
      elseif too_far(seen, ceil(capacity / permits) + (others and 1 or 0), period_sec, period_usec) then
        healed, stored_lock, others = true, '', disbelieved(seen, 0)
      else
        -- beyond 2^53 the quotient is a small whole number, only inexactly divided
        local ticks = ahead < 2 ^ 53 and ceil(ahead / period) or floor(ahead / period + 0.5)
        deficit = max(0, ticks * permits - slack)
      end
    end
    lock = lock_left(stored_lock, penalty)
    if cut or others then
      others = settle(others, cut and seen, deficit == 0)
    end
  end
  return {
    key = key, capacity = capacity, penalty = penalty, shadow = shadow, fingerprint = fingerprint,
    period = period, period_sec = period_sec, period_usec = period_usec, permits = permits, tick = tick, since = since,
    deficit = deficit, lock = lock, cut = cut, healed = healed,
    others = others, moved_sec = 0, moved_usec = 0, numbers = numbers, rate = rate,
  }
end

local function ask(s, cost, wait)
  local over = s.deficit + cost - s.capacity
  return over <= 0 or ceil(over / s.permits) * s.period - s.since <= wait
end

-- how long a number of permits takes: of whole ticks seconds and microseconds, of the rest microseconds. Only others'
-- views depend on it: what a double loses of the product of a million permits and a month is nothing
local function time_of(s, count)
  local ticks = floor(count / s.permits)
  return ticks * s.period_sec, ticks * s.period_usec, (count - ticks * s.permits) * s.period / s.permits
end

local function take(s, cost)
  local second, micro, part = time_of(s, cost)
  s.deficit = s.deficit + cost
  s.moved_sec, s.moved_usec = s.moved_sec + second, s.moved_usec + micro + ceil(part)
end

local function save(s)
  if s.deficit == 0 then
    write_unused(s)
    return
  end
  local ticks = ceil(s.deficit / s.permits)
  local slack = ticks * s.permits - s.deficit
  local tick_sec = floor(s.tick / 1e6)
  write_bucket(s, tick_sec + ticks * s.period_sec, s.tick - tick_sec * 1e6 + ticks * s.period_usec, slack, slack > 0)
end

local function tell(s)
  return s.deficit, s.since, 0
end
