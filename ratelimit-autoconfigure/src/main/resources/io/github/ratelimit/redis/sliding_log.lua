-- Sliding window log.
--
-- KEYS     one list of grants in time order, behind one entry that counts no more; behind the last one, while a lock
--          runs, the lock; missing = nothing used
-- numbers  capacity, penalty, shadow, period P in microseconds
-- facts    remaining, retry after (0: granted), reset after
--
-- Model. A grant at s counts at t iff s > t - P. An entry is the instant of a grant and the running total after it, so an
-- entry of cost one million is one entry. What is used is the last total less the one before the first entry that counts:
-- that of the entry which left last, or of a first one that was no grant. Entries that have left are trimmed when
-- something is written, but for that one, so the first that counts is near the beginning, and is looked for there. When
-- none counts any more the list begins anew. A clock that steps back counts from the newest grant.
--
-- Example: permits 5 in 10 s. Grants of 2 at 1 s and of 1 at 4 s are kept as (1 s, 0) (1 s, 2) (4 s, 3). At 12 s the second
-- has left and says 2; used is 3 - 2 = 1, and the next write takes (1 s, 0) away.
--
-- Entries of one list are of one size: 8 bytes, instant times 2048 plus total modulo 2048, as long as nobody could use
-- more; else 10 bytes, with a total modulo 2^24. A list that gets such numbers is written anew, once.

local short_size, long_size, lock_size = 8, 10, 9
local most_short = 2047

local function wrap_of(size)
  return size == short_size and 2 ^ 11 or 2 ^ 24
end

local function entry_of(text, size)
  if not text or #text ~= size then
    return nil
  end
  if size == long_size then
    local at, total = struct.unpack('>I7I3', text)
    return { at = at, total = total }
  end
  local high, low = struct.unpack('>I4I4', text)
  return { at = high * 2 ^ 21 + floor(low / 2 ^ 11), total = low % 2 ^ 11 }
end

local function entry_text(at, total, size)
  if size == long_size then
    return struct.pack('>I7I3', at, total % 2 ^ 24)
  end
  local high = floor(at / 2 ^ 21)
  return struct.pack('>I4I4', high, (at - high * 2 ^ 21) * 2 ^ 11 + total % 2 ^ 11)
end

local function read_entry(s, index)
  return entry_of(redis.call('LINDEX', s.key, index), s.size)
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
    used = 0, at = now, newest = now, total = 0, before = 0, first = 1, pending = 0,
    size = capacity > most_short and long_size or short_size,
    present = false, counts = false, stored_lock = false, lock = 0, healed = false,
  }
  local last = redis.call('LINDEX', key, -1)
  if not last then
    return s
  end
  s.present = true
  if #last == lock_size and is_lock(last) then
    s.stored_lock, s.lock = true, lock_left(last, penalty)
    last = redis.call('LINDEX', key, -2)
  end
  local size = last and #last == long_size and long_size or short_size
  local newest = entry_of(last, size)
  if not newest then
    return s
  end
  if newest.at > now + period + hour then
    s.healed, s.lock = true, 0
    return s
  end
  local horizon = max(now, newest.at) - period
  local head = redis.call('LRANGE', key, 0, 1)
  local before, live = entry_of(head[1], size), entry_of(head[2], size)
  if newest.at <= horizon or not before or not live then
    return s
  end
  s.counts, s.size = true, size
  if live.at <= horizon then
    before, live = live, newest
    s.first = first_index(2, redis.call('LLEN', key) - 1, function(index)
      local entry = read_entry(s, index)
      if entry and entry.at > horizon then
        live = entry
        return true
      end
      before = entry or before
      return false
    end)
  end
  s.live, s.before, s.total, s.newest = live, before.total, newest.total, newest.at
  s.at = max(now, newest.at)
  s.used = (newest.total - before.total) % wrap_of(size)
  return s
end

local function ask(s, cost)
  return s.used + cost <= s.capacity
end

local function take(s, cost)
  s.used, s.pending, s.newest = s.used + cost, s.pending + cost, s.at
end

local function push(s, texts)
  for i = 1, #texts, 1000 do
    redis.call('RPUSH', s.key, unpack(texts, i, min(i + 999, #texts)))
  end
end

-- writes all entries anew in the long form, behind the short ones: of a slot that moves a key must not be gone between
local function lengthen(s)
  local short = redis.call('LRANGE', s.key, 0, -1)
  local texts, total, last = {}, 0, nil
  for i, text in ipairs(short) do
    local entry = entry_of(text, short_size)
    if entry then
      total = total + (last and (entry.total - last) % wrap_of(short_size) or 0)
      last = entry.total
      texts[#texts + 1] = entry_text(entry.at, total, long_size)
    end
  end
  push(s, texts)
  redis.call('LTRIM', s.key, #short, -1)
  s.size, s.total = long_size, total
end

local function save(s)
  if not s.counts or s.used == 0 then
    if s.present then
      redis.call('DEL', s.key)
    end
  else
    if s.stored_lock then
      redis.call('RPOP', s.key)
    end
    if s.first > 1 then
      redis.call('LTRIM', s.key, s.first - 1, -1)
    end
    if s.pending > 0 and s.capacity > most_short and s.size == short_size then
      lengthen(s)
    end
  end
  local ttl = 0
  if s.pending > 0 then
    local grant = entry_text(s.at, s.total + s.pending, s.size)
    if s.counts then
      redis.call('RPUSH', s.key, grant)
    else
      redis.call('RPUSH', s.key, entry_text(s.at, 0, s.size), grant)
    end
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
  local leaving = s.newest
  local function makes_room(entry)
    if entry and s.used - (entry.total - s.before) % wrap_of(s.size) + cost <= s.capacity then
      leaving = entry.at
      return true
    end
    return false
  end
  if s.live and not makes_room(s.live) then
    first_index(s.first + 1, redis.call('LLEN', s.key) - (s.pending > 0 and 0 or 1), function(index)
      return makes_room(read_entry(s, index))
    end)
  end
  return leaving + s.period - now
end

local function tell(s, cost)
  local denied = s.used + cost > s.capacity and s.used > 0
  return max(0, s.capacity - s.used), denied and retry_after(s, cost) or 0, s.used > 0 and s.newest + s.period - now or 0
end
