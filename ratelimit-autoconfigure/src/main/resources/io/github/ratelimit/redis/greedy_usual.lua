-- Greedy bucket, the usual calls in a straight line: nearly all there are, decided before any function is made.
--
-- KEYS     one
-- ARGV     as in_turn; then, only for a limit without penalty and pace whose permit is a whole number of microseconds:
--          one permit and the whole bucket in microseconds (packed), the fingerprint (three digits)
-- reply    one integer per cost: the debt after it in microseconds; for a cost that was denied -1 less the debt
--
-- Decides if the key is missing or holds the instant of these very numbers (bucket_text.lua), no further off than the
-- bucket is large. Anything else (a lock, other numbers, a clock that stepped back) is left to what stands below.

if ARGV[3] then
  local key, costs, fingerprint = KEYS[1], ARGV[2], ARGV[4]
  local unpack, sub = struct.unpack, string.sub
  local permit, whole = unpack('<dd', ARGV[3])
  local text = redis.call('GET', key)
  local full = now
  if text then
    full = sub(text, -3) == fingerprint and tonumber(sub(text, 1, -4))
  end
  if full and full - now <= whole then
    local before = full > now and full - now or 0
    local debt, reply = before, {}
    for i = 1, #costs / 8 do
      local after = debt + permit * unpack('<d', costs, 8 * i - 7)
      if after <= whole then
        debt = after
        reply[i] = debt
      else
        reply[i] = -1 - debt
      end
    end
    if debt > before then
      write(key, string.format('%d%s', now + debt, fingerprint), math.ceil(debt / 1000) + 1)
    end
    return reply
  end
end
