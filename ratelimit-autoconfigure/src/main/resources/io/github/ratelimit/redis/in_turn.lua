-- Decides several calls on one counter in this instant, one after the other, each as if it had come alone.
--
-- KEYS     one
-- ARGV     the limit's numbers (packed, see the algorithm); the costs in order of arrival (packed), or of calls that all
--          cost the same that cost and their number (packed as '<dI4'), or nothing for one call of cost 1
-- reply    five integers per cost, as acquire tells them per limit
--
-- A cost that does not fit takes nothing, and is in the way of none behind it. What changed is written once, at the end.

local s = look(KEYS[1], ARGV[1])
local costs = ARGV[2] or struct.pack('<d', 1)
local alike = #costs == 12
local calls = alike and struct.unpack('<I4', costs, 9) or #costs / 8
local reply = {}
local changed = false

for i = 1, calls do
  local cost = struct.unpack('<d', costs, alike and 1 or 8 * i - 7)
  local grants = cost == 0 or (cost <= s.capacity and s.lock == 0 and ask(s, cost, 0))
  local healed = s.healed and not changed
  if grants then
    if cost > 0 then
      take(s, cost)
      changed = true
    end
  elseif cost <= s.capacity and s.penalty > 0 and s.lock == 0 and s.shadow == 0
    and not (s.paced == 1 and ask(s, cost, math.huge)) then
    -- for lack of permits: a departure that is only too late starts no lock
    s.lock = s.penalty
    changed = true
  end
  local base = 5 * i - 5
  reply[base + 1] = (grants and 1 or 0) + (healed and 2 or 0)
  reply[base + 2] = s.lock
  reply[base + 3], reply[base + 4], reply[base + 5] = tell(s, grants and 0 or cost)
  changed = changed or (s.cut and cost > 0)
end

if changed then
  save(s)
end
return reply
