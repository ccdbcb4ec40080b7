-- Greedy bucket, the usual calls in a straight line: nearly all there are, decided before any function is made.
--
-- KEYS     one
-- ARGV     as in_turn; of a limit without penalty and pace, whose permit is a whole number of microseconds, the numbers go
--          on with one permit and the whole bucket in microseconds, and the fingerprint as three digits; where the
--          client reads an integer that stands alone, with one byte more
-- reply    one integer per cost: the debt after it in microseconds; for a cost that was denied -1 less the debt; the only
--          one stands alone where the client reads that
--
-- Decides if the key is missing or holds the instant of these very numbers (bucket_text.lua), no further off than the
-- bucket is large. Anything else (a lock, other numbers, a clock that stepped back) is left to what stands below.

if #ARGV[1] > 97 then
  local key, numbers, costs = KEYS[1], ARGV[1], ARGV[2]
  local unpack, sub, format = struct.unpack, string.sub, string.format
  local permit, whole, fingerprint = unpack('<ddc3', numbers, 98)
  local text = redis.call('GET', key)
  local full = now
  if text then
    full = sub(text, -3) == fingerprint and tonumber(sub(text, 1, -4))
  end
  if full and full - now <= whole then
    local before = full > now and full - now or 0
    local debt, told = before, 0
    local calls = costs and #costs / 8 or 1
    local reply = (calls > 1 or #numbers == 116) and {}
    for i = 1, calls do
      local after = debt + permit * (costs and unpack('<d', costs, 8 * i - 7) or 1)
      if after <= whole then
        debt, told = after, after
      else
        told = -1 - debt
      end
      if reply then
        reply[i] = told
      end
    end
    if debt > before then
      -- as text, which Redis would make of numbers in a slower way
      local ttl, text = format('%d', math.ceil(debt / 1000) + 1), format('%d%s', now + debt, fingerprint)
      redis.call('PSETEX', key, ttl, text)
    end
    return reply or told
  end
end
