-- Fixed window.
--
-- KEYS     one string, <end of window in microseconds>:<used>[<lock>]; missing = nothing used
-- numbers  capacity, penalty, shadow, period P in microseconds, first call (1: opened by the first grant)
-- facts    remaining, retry after (0: granted), reset after
--
-- A clock that steps back stays in the window that it has seen last.

local function look(key, numbers)
  local capacity, penalty, shadow, period, first_call = struct.unpack('<ddddd', numbers, 2)
  local used, lock, healed = 0, 0, false
  local ends = first_call == 1 and now + period or (floor(now / period) + 1) * period
  local stored_end, stored_used, stored_lock = match(redis.call('GET', key) or '', '^(%d*):?(%d*)(.*)$')
  if stored_end and is_lock(stored_lock) then
    stored_end, stored_used = tonumber(stored_end) or 0, tonumber(stored_used) or 0
    if stored_end > now + period + hour then
      healed = true
    else
      if stored_end > now and (first_call == 1 or stored_end >= ends) then
        used, ends = stored_used, stored_end
      end
      lock = lock_left(stored_lock, penalty)
    end
  end
  return {
    key = key, capacity = capacity, penalty = penalty, shadow = shadow, period = period,
    used = used, ends = ends, lock = lock, healed = healed,
  }
end

local function ask(s, cost)
  return s.used + cost <= s.capacity
end

local function take(s, cost)
  s.used = s.used + cost
end

local function save(s)
  if s.used == 0 and s.lock <= 0 then
    redis.call('DEL', s.key)
    return
  end
  local counter, ttl = '', ttl_of(s.lock)
  if s.used > 0 then
    counter, ttl = format('%.0f:%.0f', s.ends, s.used), max(ttl, ttl_of(s.ends - now))
  end
  write(s.key, counter .. lock_text(s.lock), ttl)
end

local function tell(s, cost)
  local left = s.ends - now
  return max(0, s.capacity - s.used), s.used + cost > s.capacity and left or 0, s.used > 0 and left or 0
end
