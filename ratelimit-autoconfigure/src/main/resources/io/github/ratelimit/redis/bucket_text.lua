-- How a bucket is kept: the instant at which it will be full again, as text.
--
--   <instant in microseconds><fingerprint, 3 digits>[:<fraction>][;<another view>]...[<lock>]
--
-- Without the parts in brackets these are up to 19 digits, which Redis keeps as one 64-bit integer. The fingerprint tells
-- the numbers of the limit that wrote it. The instant may lie beyond 2^53 (a million permits at one a month), so it is
-- taken apart into seconds and microseconds while it is still text.
--
-- Other views are there once numbers have cut the instant: at what later instant the bucket is full in the eyes of others,
--
--   <instant in microseconds><fingerprint, 3 digits><name of the numbers, 10 digits>[:<slack>]
--
-- and every charge moves them by the time it takes. Numbers whose view is not there see the latest. Several numbers may
-- share a fingerprint. So the first part tells, in 10 digits alone, the name of those who wrote last, also where their
-- slack is all that follows; a view without a name has ten zeros. In Lua a view is
-- { seconds, microseconds, fingerprint, name, slack }.
local nobody, most_others, nameless = 999, 3, '0000000000'

local function after(view, other)
  return view[1] > other[1] or (view[1] == other[1] and view[2] > other[2])
end

local function instant_of(digits)
  return tonumber(sub(digits, 1, -10)) or 0, tonumber(sub(digits, -9, -4)) or 0, tonumber(sub(digits, -3))
end

-- ten digits for the numbers that are packed so: the capacity, and how fast the bucket fills, which stands where rate says
local function name_of(numbers, rate)
  return format('%010.0f', tonumber(sub(redis.sha1hex(sub(numbers, 2, 9) .. sub(numbers, rate[1], rate[2])), 1, 8), 16))
end

-- the other views, and the name of those who wrote last
local function views_of(text)
  local views, writer = {}, nameless
  for part in gmatch(text, '[^;]+') do
    local digits, slack = match(part, '^(%d*):?(%d*)$')
    if part == digits and #part == 10 then
      writer = part
    elseif not digits or #digits < 14 or #digits > 32 then
      return nil
    else
      local full_sec, full_usec, mark = instant_of(sub(digits, 1, -11))
      views[#views + 1] = { full_sec, full_usec, mark, sub(digits, -10), tonumber(slack) or 0 }
    end
  end
  return views, writer
end

-- an instant with a fraction of a microsecond, rounded up
local function whole_micros(view)
  local carry = view[2] == 999999 and 1 or 0
  return { view[1] + carry, (view[2] + 1) % 1e6, view[3], view[4], view[5] }
end

-- of several views the one that these numbers see, the others, and the slack if it is their own from before
local function seen_beside(last, views, fingerprint, name)
  local own, latest, others = nil, last, {}
  for _, view in ipairs(views) do
    if view[3] == fingerprint and (view[4] == name or (view[4] == nameless and not own)) then
      own = view
    end
    latest = after(view, latest) and view or latest
  end
  local seen = own or latest
  if seen == last then
    return last, views
  end
  for _, view in ipairs(views) do
    if view ~= seen then
      others[#others + 1] = view
    end
  end
  others[#others + 1] = last
  if own then
    return { own[1], own[2], nobody, nameless, 0 }, others, own[5]
  end
  return seen, others
end

-- the view that these numbers see, whether they wrote it last, its fraction, end of lock, the other views where there are
-- any, and the slack of the view if these numbers wrote it before others did; nothing when there is no such text
-- up: whether an instant of other numbers is a microsecond later when there is a fraction
local function read_bucket(key, numbers, rate, fingerprint, up)
  local text = redis.call('GET', key)
  if not text then
    return nil
  end
  local digits, fraction, beside, lock = text, nil, '', ''
  if not find(text, '^%d+$') then
    digits, fraction, beside, lock = match(text, '^(%d*):?(%d*)([;:%d]*)(.*)$')
    if not digits or not is_lock(lock) then
      return nil
    end
  end
  if #digits > 22 then
    return nil
  end
  local full_sec, full_usec, mark = instant_of(digits)
  fraction = tonumber(fraction) or 0
  local last = { full_sec, full_usec, mark, nameless, up and 0 or fraction }
  local own, views, name = mark == fingerprint, nil, nil
  if beside ~= '' then
    name = name_of(numbers, rate)
    views, last[4] = views_of(beside)
    if not views then
      return nil
    end
    own = own and last[4] == name
    views = #views > 0 and views or nil
  end
  if up and fraction > 0 and not own then
    last, fraction = whole_micros(last), 0
  end
  if own or not views then
    return last, own, fraction, lock, views
  end
  local seen, others, own_slack = seen_beside(last, views, fingerprint, name)
  return seen, false, fraction, lock, others, own_slack
end

-- what stays beside an instant that counts as unused: itself, if it may be that of others with the same fingerprint
local function disbelieved(last, fraction)
  return last[4] == nameless and { fraction > 0 and whole_micros(last) or last } or nil
end

-- the other views to be kept: all until all are full; uncut: what was seen, where numbers have cut it; full: whether no debt
-- is left
local function settle(others, uncut, full)
  local kept, latest = {}, uncut
  for _, view in ipairs(others or {}) do
    kept[#kept + 1] = view
    full = full and not after(view, { sec, usec })
    latest = latest and after(uncut, view) and latest
  end
  if latest then
    kept[#kept + 1] = uncut
  elseif full then
    return nil
  end
  while #kept > most_others do
    local first = 1
    for i = 2, #kept do
      first = after(kept[first], kept[i]) and i or first
    end
    table.remove(kept, first)
  end
  return #kept > 0 and kept or nil
end

-- another view as text after the charge, and how long the key has to live for it
local function moved_view(view, by_sec, by_usec)
  local v_sec, v_usec = view[1], view[2]
  local ahead = after(view, { sec, usec })
  local by = by_sec * 1e6 + by_usec
  local slack = view[5]
  if by > 0 and not ahead then
    v_sec, v_usec, slack = sec, usec, 0
  end
  if by > 0 or (by < 0 and ahead) then
    v_sec, v_usec = v_sec + by_sec, v_usec + by_usec
  end
  local carry = floor(v_usec / 1e6)
  v_sec, v_usec = v_sec + carry, v_usec - carry * 1e6
  if by < 0 and ahead and not after({ v_sec, v_usec }, { sec, usec }) then
    v_sec, v_usec = sec, usec
  end
  local text = format(';%.0f%06.0f%03.0f%s', v_sec, v_usec, view[3], view[4])
  if slack > 0 then
    text = text .. format(':%.0f', slack)
  end
  return text, (v_sec - sec) * 1000 + ttl_of(v_usec - usec)
end

-- s: also the other views, and by what time the charges move them
-- due_sec, due_usec: the instant at which the bucket will be full, due_usec may be a million or more
-- named: whether the fraction is one that only these numbers can read
local function write_bucket(s, due_sec, due_usec, fraction, named)
  local carry = floor(due_usec / 1e6)
  due_sec, due_usec = due_sec + carry, due_usec - carry * 1e6
  local text = format('%.0f%06.0f%03.0f', due_sec, due_usec, s.fingerprint)
  if fraction > 0 then
    text = text .. format(':%.0f', fraction)
  end
  local left_sec, left_usec = due_sec - sec, due_usec - usec
  if fraction > 0 then
    left_usec = left_usec + 1
  end
  local ttl = max(left_sec * 1000 + ttl_of(left_usec), ttl_of(s.lock))
  if s.others or named then
    text = text .. ';' .. name_of(s.numbers, s.rate)
  end
  if s.others then
    for _, view in ipairs(s.others) do
      local more, lives = moved_view(view, s.moved_sec, s.moved_usec)
      text, ttl = text .. more, max(ttl, lives)
    end
  end
  write(s.key, text .. lock_text(s.lock), ttl)
end

-- nothing used, and perhaps a lock
local function write_unused(s)
  if s.others then
    write_bucket(s, sec, usec, 0)
  elseif s.lock > 0 then
    write(s.key, lock_text(s.lock), ttl_of(s.lock))
  else
    redis.call('DEL', s.key)
  end
end
