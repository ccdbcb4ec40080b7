-- Grants as many permits as there are, at most so many.
--
-- KEYS     one
-- ARGV     the limit's numbers (packed, see the algorithm); how many are wanted
-- reply    how many were granted; then as acquire: verdict, what is left of the lock, three facts of the algorithm,
--          where nothing was granted those of a call of cost 1

local s = look(KEYS[1], ARGV[1])
local wanted = tonumber(ARGV[2])
local granted = s.lock == 0 and min(wanted, most(s)) or 0
local fits = wanted == 0 or granted > 0
local changed = false
if granted > 0 then
  take(s, granted)
  changed = true
elseif not fits then
  if s.penalty > 0 and s.lock == 0 and s.shadow == 0 then
    s.lock = s.penalty
    changed = true
  end
  changed = changed or s.cut
end
local a, b, c = tell(s, fits and 0 or 1)
if changed then
  save(s)
end
return { granted, (fits and 1 or 0) + (s.healed and 2 or 0), s.lock, a, b, c }
