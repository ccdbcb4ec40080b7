-- How a bucket is kept: the instant at which it will be full again, as text.
--
--   <instant in microseconds><fingerprint, 3 digits>[:<fraction>][<lock>]
--
-- Without fraction and lock these are up to 19 digits, which Redis keeps as one 64-bit integer. The fingerprint tells
-- the numbers of the limit that wrote it. The instant may lie beyond 2^53 (a million permits at one a month), so it is
-- taken apart into seconds and microseconds while it is still text.

-- stored instant (seconds, microseconds), fingerprint, fraction, end of lock; nothing when there is no such text
local function read_bucket(key)
  local text = redis.call('GET', key)
  if not text then
    return nil
  end
  local digits, fraction, lock = text, nil, ''
  if not find(text, '^%d+$') then
    digits, fraction, lock = match(text, '^(%d*):?(%d*)(.*)$')
    if not digits or not is_lock(lock) then
      return nil
    end
  end
  if #digits > 22 then
    return nil
  end
  return tonumber(sub(digits, 1, -10)) or 0,
    tonumber(sub(digits, -9, -4)) or 0,
    tonumber(sub(digits, -3)),
    tonumber(fraction) or 0,
    lock
end

-- due_sec, due_usec: the instant at which the bucket will be full, due_usec may be a million or more
local function write_bucket(key, due_sec, due_usec, fingerprint, fraction, lock)
  local carry = floor(due_usec / 1e6)
  due_sec, due_usec = due_sec + carry, due_usec - carry * 1e6
  local text = format('%.0f%06.0f%03.0f', due_sec, due_usec, fingerprint)
  if fraction > 0 then
    text = text .. format(':%.0f', fraction)
  end
  local left_sec, left_usec = due_sec - sec, due_usec - usec
  if fraction > 0 then
    left_usec = left_usec + 1
  end
  local ttl = max(left_sec * 1000 + ttl_of(left_usec), ttl_of(lock))
  write(key, text .. lock_text(lock), ttl)
end

-- nothing used, and perhaps a lock
local function write_lock(key, lock)
  if lock > 0 then
    write(key, lock_text(lock), ttl_of(lock))
  else
    redis.call('DEL', key)
  end
end
