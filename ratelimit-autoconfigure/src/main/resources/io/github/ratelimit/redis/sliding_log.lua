-- Sliding window log.
--
-- KEYS     one list of grants in time order, each <instant>:<running total>:<cost>; behind the last one, while a lock
--          runs, the lock; missing = nothing used
-- numbers  capacity, penalty, shadow, period P in microseconds
-- facts    remaining, retry after (0: granted), reset after
--
-- Model. A grant at s counts at t iff s > t - P. Because each entry carries the running total, what is used is the last
-- total less what stood before the first entry that counts: an entry of cost one million is one entry. Entries that have
-- left are trimmed when something is written, so the first that counts is near the beginning, and is looked for there.
-- A clock that steps back counts from the newest grant.

local wrap = 1e15 -- of the running total

local function entry_of(text)
  local at, total, cost = match(text or '', '^(%d+):(%d+):(%d+)$')
  if at then
    return { at = tonumber(at), total = tonumber(total), cost = tonumber(cost) }
  end
  return nil
end

local function read_entry(key, index)
  return entry_of(redis.call('LINDEX', key, index))
end

-- the first index in [from, to) for which the test holds, to when it holds for none; the test is false, then true:
-- in steps that double, until it holds, then by bisection of the last step
local function first_index(from, to, test)
  local step = 1
  while from < to do
    local probe = min(from + step, to) - 1
    if test(probe) then
      to = probe
      break
    end
    from, step = probe + 1, 2 * step
  end
  while from < to do
    local middle = floor((from + to) / 2)
    if test(middle) then
      to = middle
    else
      from = middle + 1
    end
  end
  return from
end

local function look(key, numbers)
  local capacity, penalty, shadow, period = struct.unpack('<dddd', numbers, 2)
  local s = {
    key = key, capacity = capacity, penalty = penalty, shadow = shadow, period = period,
    used = 0, at = now, total = 0, first = 0, count = 0, before = 0, pending = 0, stored_lock = false,
    lock = 0, healed = false, foreign = false,
  }
  local length = redis.call('LLEN', key)
  if length == 0 then
    return s
  end
  local last = redis.call('LINDEX', key, -1)
  if sub(last, 1, 1) == '|' then
    s.stored_lock, s.lock, length = true, lock_left(last, penalty), length - 1
    last = redis.call('LINDEX', key, length - 1)
  end
  local newest = entry_of(last)
  if not newest then
    s.foreign = length > 0
    return s
  end
  if newest.at > now + period + hour then
    s.healed, s.foreign, s.lock = true, true, 0
    return s
  end
  s.count, s.total, s.at = length, newest.total, max(now, newest.at)
  local horizon = s.at - period
  if newest.at <= horizon then
    s.first = length
    return s
  end
  s.live = newest
  s.first = first_index(0, length - 1, function(index)
    local entry = read_entry(key, index)
    if entry and entry.at > horizon then
      s.live = entry
      return true
    end
    return false
  end)
  s.before = (s.live.total - s.live.cost) % wrap
  s.used = (newest.total - s.before) % wrap
  s.newest = newest.at
  return s
end

local function ask(s, cost)
  return s.used + cost <= s.capacity
end

local function take(s, cost)
  s.used, s.pending, s.newest = s.used + cost, s.pending + cost, s.at
end

local function save(s)
  if s.foreign then
    redis.call('DEL', s.key)
  else
    if s.stored_lock then
      redis.call('RPOP', s.key)
    end
    if s.first > 0 then
      redis.call('LTRIM', s.key, s.first, -1)
    end
  end
  local ttl = 0
  if s.pending > 0 then
    redis.call('RPUSH', s.key, format('%.0f:%.0f:%.0f', s.at, (s.total + s.pending) % wrap, s.pending))
  end
  if s.used > 0 then
    ttl = ttl_of(s.newest + s.period - now)
  end
  if s.lock > 0 then
    redis.call('RPUSH', s.key, lock_text(s.lock))
    ttl = max(ttl, ttl_of(s.lock))
  end
  if ttl > 0 then
    expire(s.key, ttl)
  end
end

-- the end of the oldest grants whose leaving makes room for the cost; those of this instant are not in the list yet
local function retry_after(s, cost)
  local leaving, last = s.newest, s.pending > 0 and s.count or s.count - 1
  first_index(s.first, last, function(index)
    local entry = index == s.first and s.live or read_entry(s.key, index)
    if entry and s.used - (entry.total - s.before) % wrap + cost <= s.capacity then
      leaving = entry.at
      return true
    end
    return false
  end)
  return leaving + s.period - now
end

local function tell(s, cost)
  local denied = s.used + cost > s.capacity and s.used > 0
  return max(0, s.capacity - s.used), denied and retry_after(s, cost) or 0, s.used > 0 and s.newest + s.period - now or 0
end
