-- Gives permits back, newest grants first, never past unused.
--
-- KEYS     one per limit
-- ARGV     two per limit: its numbers (packed, see the algorithm) and how many permits
-- reply    as acquire of cost 0, five integers per limit

local reply = {}
for i = 1, #KEYS do
  local s = look(KEYS[i], ARGV[2 * i - 1])
  local count = tonumber(ARGV[2 * i])
  local given = count > 0 and give(s, count) or 0
  local base = 5 * i - 5
  reply[base + 1] = s.healed and 3 or 1
  reply[base + 2] = s.lock
  reply[base + 3], reply[base + 4], reply[base + 5] = tell(s, 0)
  if given > 0 then
    save(s)
  end
end
return reply
