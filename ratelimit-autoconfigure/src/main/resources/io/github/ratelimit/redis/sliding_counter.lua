-- Sliding window counter: sub-windows ("slots") of w = P/S microseconds.
--
-- KEYS     one string, <newest slot>:<count>,<count>,...[<lock>], newest count first; missing = nothing used
-- numbers  capacity, penalty, shadow, slot w in microseconds, slots S, strict
-- facts    remaining, retry after (0: granted), reset after
--
-- Model. At instant t in slot k the window covers the slots k-S+1 .. k in full and slot k-S, the leaving one, in part.
-- Strict counts the leaving slot in full: never more than the permits in any period. Weighted counts it by its overlap
-- (w-x)/w, x into the slot, as an exact fraction: L*(w-x)/w <= rest is asked as L*(w-x) <= rest*w, in two parts.
-- A clock that steps back stays at the start of the newest slot it has seen.

-- a*b as high*1e6 + low, exact for a up to 1e6 or so and b up to 2.7e12
local function product(a, b)
  local high = floor(b / 1e6)
  local low = a * (b - high * 1e6)
  local carry = floor(low / 1e6)
  return a * high + carry, low - carry * 1e6
end

-- a*b <= c*d
local function at_most(a, b, c, d)
  if c < 0 then
    return false
  end
  local one_high, one_low = product(a, b)
  local other_high, other_low = product(c, d)
  return one_high < other_high or (one_high == other_high and one_low <= other_low)
end

-- counts[1] is the newest slot's, counts[S + 1] the leaving one's
local function sum(counts, from, to)
  local total = 0
  for i = from, to do
    total = total + counts[i]
  end
  return total
end

local function look(key, numbers)
  local capacity, penalty, shadow, width, slots, strict = struct.unpack('<dddddd', numbers, 2)
  local counts, lock, healed = {}, 0, false
  local slot = floor(now / width)
  for i = 1, slots + 1 do
    counts[i] = 0
  end
  local stored_slot, stored_counts, stored_lock = match(redis.call('GET', key) or '', '^(%d*):?([%d,]*)(.*)$')
  if stored_slot and is_lock(stored_lock) then
    stored_slot = tonumber(stored_slot) or 0
    if stored_slot * width > now + width * slots + hour then
      healed = true
    else
      slot = max(slot, stored_slot)
      local i = slot - stored_slot
      for count in string.gmatch(stored_counts, '%d+') do
        i = i + 1
        if i > slots + 1 then
          break
        end
        counts[i] = tonumber(count)
      end
      lock = lock_left(stored_lock, penalty)
    end
  end
  return {
    key = key, capacity = capacity, penalty = penalty, shadow = shadow, width = width, slots = slots,
    strict = strict == 1, slot = slot, into = max(0, now - slot * width), counts = counts, lock = lock,
    healed = healed,
  }
end

local function ask(s, cost)
  local full, leaving = sum(s.counts, 1, s.slots), s.counts[s.slots + 1]
  if s.strict then
    return full + leaving + cost <= s.capacity
  end
  return at_most(leaving, s.width - s.into, s.capacity - full - cost, s.width)
end

local function take(s, cost)
  s.counts[1] = s.counts[1] + cost
end

-- the number of the newest slot that counts anything, 0 when none does
local function newest(s)
  for i = 1, s.slots + 1 do
    if s.counts[i] > 0 then
      return i
    end
  end
  return 0
end

local function reset_after(s)
  local i = newest(s)
  return i == 0 and 0 or (s.slot - (i - 1) + s.slots + 1) * s.width - now
end

local function save(s)
  local last = s.slots + 1
  while last > 0 and s.counts[last] == 0 do
    last = last - 1
  end
  if last == 0 and s.lock <= 0 then
    redis.call('DEL', s.key)
    return
  end
  local counter = ''
  if last > 0 then
    local texts = {}
    for i = 1, last do
      texts[i] = format('%.0f', s.counts[i])
    end
    counter = format('%.0f:', s.slot) .. table.concat(texts, ',')
  end
  write(s.key, counter .. lock_text(s.lock), max(ttl_of(reset_after(s)), ttl_of(s.lock)))
end

-- ceil(leaving * (w - x) / w): estimated, then put right exactly
local function weight(s, leaving)
  local overlap = s.width - s.into
  local weighed = ceil(leaving * overlap / s.width)
  while at_most(leaving, overlap, weighed - 1, s.width) do
    weighed = weighed - 1
  end
  while not at_most(leaving, overlap, weighed, s.width) do
    weighed = weighed + 1
  end
  return weighed
end

-- how far into a slot the leaving count has shrunk to the rest: w - floor(rest * w / leaving)
local function shrunk_at(s, leaving, rest)
  if leaving == 0 then
    return 0
  end
  local time_left = floor(rest * s.width / leaving)
  while not at_most(leaving, time_left, rest, s.width) do
    time_left = time_left - 1
  end
  while at_most(leaving, time_left + 1, rest, s.width) do
    time_left = time_left + 1
  end
  return max(0, s.width - time_left)
end

local function retry_after(s, cost)
  local full = sum(s.counts, 1, s.slots)
  for i = 0, s.slots + 1 do
    local leaving = s.counts[s.slots + 1 - i] or 0
    if i > 0 then
      full = full - leaving
    end
    local rest = s.capacity - full - cost
    if s.strict and rest >= leaving then
      return (s.slot + i) * s.width - now
    elseif not s.strict and rest >= 0 then
      return (s.slot + i) * s.width + shrunk_at(s, leaving, rest) - now
    end
  end
  return 0
end

local function tell(s, cost)
  local full, leaving = sum(s.counts, 1, s.slots), s.counts[s.slots + 1]
  local remaining = max(0, s.capacity - full - (s.strict and leaving or weight(s, leaving)))
  return remaining, ask(s, cost) and 0 or retry_after(s, cost), reset_after(s)
end
