-- Takes a reservation back: gives back what nobody reserved after it, nothing once its time has come; of what a bucket lent
-- a call that does not go ahead what time has not repaid; of a window what still counts.
--
-- KEYS     one per limit
-- ARGV     two per limit: its numbers (packed, see the algorithm) and the charge (packed): cost, due in seconds,
--          microseconds and ticks, 0, 0; or cost, the instant at which time has repaid what was lent, 1 while the
--          call waits or 2 when it has ended, and the microsecond at which it was charged
-- reply    one integer per limit: how many permits were given back; then as acquire of cost 0, five integers per limit

local reply = {}
for i = 1, #KEYS do
  local s = look(KEYS[i], ARGV[2 * i - 1])
  local cost, due_sec, due_usec, due_tick, lent, at = struct.unpack('<dddddd', ARGV[2 * i])
  reply[i] = cancel(s, cost, due_sec, due_usec, due_tick, lent, at)
  local base = #KEYS + 5 * i - 5
  reply[base + 1] = s.healed and 3 or 1
  reply[base + 2] = s.lock
  reply[base + 3], reply[base + 4], reply[base + 5] = tell(s, 0)
  if reply[i] > 0 then
    save(s)
  end
end
return reply
