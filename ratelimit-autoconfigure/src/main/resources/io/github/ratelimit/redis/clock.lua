-- What all counters need besides the time: times to live, the only places where a key is written with one, and locks.
local floor, ceil, max, min = math.floor, math.ceil, math.max, math.min
local find, match, gmatch, sub, format = string.find, string.match, string.gmatch, string.sub, string.format
local hour = 3600e6
local longest_lock = 31 * 24 * hour

-- Milliseconds after which a key may go: never before its state equals the unused one, so rounded up, and one more
-- because Redis may have read its own clock for the expiry a moment before TIME.
local function ttl_of(micros)
  return ceil(micros / 1000) + 1
end

-- A lock is stored behind a counter as '|' and the instant at which it ends, eight bytes: in decimal it would push a
-- bucket into the next larger size of memory.
local function lock_text(left)
  if left <= 0 then
    return ''
  end
  return '|' .. struct.pack('>d', now + left)
end

-- Whether what stands behind a counter is what lock_text writes there.
local function is_lock(stored)
  return stored == '' or (#stored == 9 and sub(stored, 1, 1) == '|')
end

-- What is left of a stored lock. One that ends absurdly late is none.
local function lock_left(stored, penalty)
  if #stored ~= 9 then
    return 0
  end
  local left = struct.unpack('>d', stored, 2) - now
  if left > 0 and left <= max(penalty, longest_lock) + hour then
    return left
  end
  return 0
end

local function write(key, text, ttl)
  redis.call('PSETEX', key, ttl, text)
end

local function expire(key, ttl)
  redis.call('PEXPIRE', key, ttl)
end
