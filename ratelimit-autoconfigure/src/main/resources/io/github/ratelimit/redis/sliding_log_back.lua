-- Sliding window log, what a plain call does not need: how many permits are there, and giving them back.

local function most(s)
  return max(0, s.capacity - s.used)
end

-- takes from the newest entries; the first save drops the lock, which stands behind them
local function give(s, count)
  local left = min(count, s.used)
  if left > 0 and s.stored_lock then
    redis.call('RPOP', s.key)
    s.stored_lock = false
  end
  local entry, given = read_entry(s, -1), 0
  while left > 0 do
    local before = read_entry(s, -2)
    if not entry or not before then
      break
    end
    local cost = (entry.total - before.total) % wrap_of(s.size)
    local taken = min(left, cost)
    if taken == cost then
      redis.call('RPOP', s.key)
      entry = before
    else
      redis.call('LSET', s.key, -1, entry_text(entry.at, entry.total - taken, s.size))
    end
    left, given = left - taken, given + taken
  end
  s.used = s.used - given
  s.newest = s.used > 0 and entry.at or now
  return given
end

-- the entries from the newest back, one with each call: read in chunks that double, up to a thousand
local function backwards(s, last)
  local texts, passed, size = {}, 0, 1
  return function()
    if #texts == 0 then
      size = min(2 * size, 1000)
      texts = redis.call('LRANGE', s.key, last - passed - size + 1, last - passed)
      passed = passed + #texts
    end
    return entry_of(table.remove(texts), s.size)
  end
end

-- gives back what was charged at that instant, as long as it counts; what was granted later stays, moved down
local function cancel(s, cost, due_sec, due_usec)
  local due = due_sec * 1e6 + due_usec
  if not s.counts or due <= s.at - s.period then
    return 0
  end
  local next_back = backwards(s, s.stored_lock and -2 or -1)
  local later, there, entry = {}, 0, next_back()
  while entry and entry.at >= due do
    local before = next_back()
    if entry.at > due then
      later[#later + 1] = entry
    elseif before then
      there = there + (entry.total - before.total) % wrap_of(s.size)
    end
    entry = before
  end
  local given = min(cost, there)
  if given == 0 then
    return 0
  end
  local behind = #later + (s.stored_lock and 1 or 0)
  if behind > 0 then
    redis.call('LTRIM', s.key, 0, -behind - 1)
  end
  s.stored_lock = false
  give(s, given)
  local texts = {}
  for i = #later, 1, -1 do
    s.newest = later[i].at
    texts[#texts + 1] = entry_text(s.newest, later[i].total - given, s.size)
  end
  push(s, texts)
  return given
end
