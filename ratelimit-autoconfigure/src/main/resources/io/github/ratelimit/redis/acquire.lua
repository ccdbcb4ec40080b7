-- Decides one call: granted iff every limit grants, then all are charged, else none.
--
-- KEYS     one per limit
-- ARGV     mode: acquire | peek (writes nothing) | reserve (tells the time as well) | spare (the call is denied
--          elsewhere: nothing is charged, and a limit that denies too starts its lock); then two per limit: its numbers (packed, see the algorithm) and the call's cost and wait (packed)
-- reply    five integers per limit: verdict, what is left of the lock in microseconds, three facts of the algorithm;
--          on reserve two more: the store's time in seconds and microseconds
-- verdict  1: this limit grants; 2 more: its state lay too far in the future and counted as unused
--
-- A denial writes nothing, but for a lock that it starts and a bucket that is cut down to new numbers.
-- A shadow limit has no say; it is charged when it grants by itself and the call goes ahead.

local mode = ARGV[1]
local states, fits = {}, {}
local granted = mode ~= 'spare'

for i = 1, #KEYS do
  local s = look(KEYS[i], ARGV[2 * i])
  local cost, wait = struct.unpack('<dd', ARGV[2 * i + 1])
  local grants = cost == 0 or (cost <= s.capacity and s.lock == 0 and ask(s, cost, wait))
  if not grants and s.shadow == 0 then
    granted = false
  end
  s.cost, states[i], fits[i] = cost, s, grants
end

local reply = {}
for i = 1, #states do
  local s, cost, grants = states[i], states[i].cost, fits[i]
  local changed = false
  if grants then
    if granted and cost > 0 then
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
  reply[base + 1] = (grants and 1 or 0) + (s.healed and 2 or 0)
  reply[base + 2] = s.lock
  reply[base + 3], reply[base + 4], reply[base + 5] = tell(s, grants and 0 or cost)
  if mode ~= 'peek' and (changed or (s.cut and cost > 0)) then
    save(s)
  end
end

if mode == 'reserve' then
  reply[#reply + 1] = sec
  reply[#reply + 1] = usec
end
return reply
