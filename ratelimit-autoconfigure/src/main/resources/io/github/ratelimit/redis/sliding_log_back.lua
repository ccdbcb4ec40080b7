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

local function cancel(s, cost)
  return give(s, cost)
end
