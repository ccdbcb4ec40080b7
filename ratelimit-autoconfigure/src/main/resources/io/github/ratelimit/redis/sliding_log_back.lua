-- Sliding window log, what a plain call does not need: how many permits are there, and giving them back.

local function most(s)
  return max(0, s.capacity - s.used)
end

-- takes from the newest entries; the first save drops the lock, which stands behind them
local function give(s, count)
  local left = min(count, s.used)
  local given = left
  if left == 0 then
    return 0
  end
  if s.stored_lock then
    redis.call('RPOP', s.key)
    s.stored_lock = false
  end
  while left > 0 do
    local entry = read_entry(s.key, -1)
    if entry.cost <= left then
      redis.call('RPOP', s.key)
    else
      redis.call('LSET', s.key, -1,
        format('%.0f:%.0f:%.0f', entry.at, (entry.total - left) % wrap, entry.cost - left))
    end
    left = left - min(left, entry.cost)
  end
  s.used = s.used - given
  local newest = read_entry(s.key, -1)
  s.newest = newest and newest.at or now
  return given
end

local function cancel(s, cost)
  return give(s, cost)
end
