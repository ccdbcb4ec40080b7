-- Greedy bucket, the usual calls in a straight line: nearly all there are, decided before any function is made.
--
-- KEYS     one, or one per counter
-- ARGV     as in_turn, for each counter; without costs (of several counters: with empty ones) one call of cost 1. Of a limit
--          without penalty and pace, whose permit is a whole number of microseconds, the numbers go on with one permit and
--          the whole bucket in microseconds, and the fingerprint as three digits; where the client reads an integer that
--          stands alone, with one byte more. Of several counters the numbers are empty where they are those of the one
--          before, and what is empty is left out at the end
-- reply    one integer per cost: the debt after it in microseconds; for a cost that was denied -1 less the debt; of calls that
--          all cost the same two integers: how many are granted, and the debt after them; -2^53 for one of several counters
--          that is left undecided. That of one counter without costs stands alone where the client reads that
--
-- Decides if the key is missing or holds the instant of these very numbers (bucket_text.lua), no further off than the
-- bucket is large. Anything else (a lock, other numbers, a clock that stepped back, foreign state) is left to what stands
-- below; where there are several counters, to a call of its own.
--
-- Several are read by one command, to which a key of another type is as good as missing: so of several a missing one is
-- written only if nothing is there.

if #ARGV[1] > 97 then
  local several = #KEYS > 1
  local texts = several and redis.call('MGET', unpack(KEYS))
  local read, sub, format, ceil = struct.unpack, string.sub, string.format, math.ceil
  local reply = (several or ARGV[2] or #ARGV[1] == 116) and {}
  local undecided, answers, told = -2 ^ 53, 0, nil
  local permit, whole, fingerprint
  for k = 1, #KEYS do
    local key, numbers, costs = KEYS[k], ARGV[2 * k - 1] or '', ARGV[2 * k] or ''
    if numbers ~= '' then
      permit, whole, fingerprint = read('<ddc3', numbers, 98)
    end
    local present
    if several then
      present = texts[k]
    else
      present = redis.pcall('GET', key)
    end
    local full = now
    if present then
      full = type(present) == 'string' and sub(present, -3) == fingerprint and tonumber(sub(present, 1, -4))
    end
    local decides = full and full - now <= whole
    if decides or several then
      local before, first = decides and full > now and full - now or 0, answers + 1
      local debt = before
      if #costs == 12 then
        local cost, count = read('<dI4', costs)
        local each = permit * cost
        local granted = undecided
        if decides then
          granted = each > 0 and math.min(count, math.floor((whole - debt) / each)) or count
          debt = debt + granted * each
        end
        reply[first], reply[first + 1] = granted, debt
        answers = first + 1
      else
        for i = 1, costs == '' and 1 or #costs / 8 do
          local after = debt + permit * (costs == '' and 1 or read('<d', costs, 8 * i - 7))
          if not decides then
            told = undecided
          elseif after <= whole then
            debt, told = after, after
          else
            told = -1 - debt
          end
          answers = answers + 1
          if reply then
            reply[answers] = told
          end
        end
      end
      if debt > before then
        -- as text, which Redis would make of numbers in a slower way
        local ttl, text = format('%d', ceil(debt / 1000) + 1), format('%d%s', now + debt, fingerprint)
        if present or not several then
          redis.call('PSETEX', key, ttl, text)
        elseif not redis.call('SET', key, text, 'PX', ttl, 'NX') then
          for i = first, answers do
            reply[i] = undecided
          end
        end
      end
    end
  end
  if answers > 0 then
    return reply or told
  end
end
