-- ---------------------------------------------------------------------------------------------- reader
-- Reads the bytes of a Lua string by the layouts above into nodes, without Wireshark.
--
-- 1. A node has the name of its field in Wireshark (p), its place (at, z), its kind (k), its children (c),
--    its label (t) and what is wrong with it (x). It has no bytes: who shows it has them.
-- 2. Fields of fixed size that follow each other are a run, which has one node, or belongs to the node of the structure
--    that begins with it. A number in a run is read when it is asked for.
-- 3. What cannot be read raises a table, and only that; the nodes made so far stay.
-- 4. Work is linear in the bytes. At most `budget` fields have nodes; what lies beyond is read and not shown.
-- 5. Only arithmetic that is the same in Lua 5.2 (no integers) and 5.4: numbers here have at most 32 bits.

local byte, sub, find, gsub, floor, format = string.byte, string.sub, string.find, string.gsub, math.floor, string.format

local MAX_DEPTH = 8
local MAX_KEPT = 256 -- values of a number for which the rules that they may violate are kept

local function uint(data, at, size)
  if size == 4 then
    local a, b, c, d = byte(data, at + 1, at + 4)
    return a + b * 0x100 + c * 0x10000 + d * 0x1000000
  elseif size == 2 then
    local a, b = byte(data, at + 1, at + 2)
    return a + b * 0x100
  elseif size == 1 then
    return byte(data, at + 1)
  end
  local value = 0
  for i = at + size, at + 1, -1 do
    value = value * 256 + byte(data, i)
  end
  return value
end

-- The powers of two around the bits of a group: of its lowest bit, and of the bit above its highest.
local function with_powers(group, shift, width)
  group.low, group.high = 2 ^ shift, 2 ^ (shift + width)
  return group
end

local function bits(word, group)
  return (word % group.high - word % group.low) / group.low
end

-- Where the WCHAR 0x0000 stands that ends a text, or nil.
local function terminator(data, at, stop)
  local from = at + 1
  while true do
    local found = find(data, "\0\0", from, true)
    if not found or found + 1 > stop then return nil end
    if (found - 1 - at) % 2 == 0 then return found - 1 end
    from = found + 1
  end
end

local GUID = "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x"

local function guid(data, at)
  local a, b, c, d, e, f, g, h = byte(data, at + 1, at + 8)
  return format(GUID, d, c, b, a, f, e, h, g, byte(data, at + 9, at + 16))
end

local function encode_utf8(code)
  if code < 0x80 then return string.char(code) end
  if code < 0x800 then return string.char(0xC0 + floor(code / 64), 0x80 + code % 64) end
  if code < 0x10000 then
    return string.char(0xE0 + floor(code / 4096), 0x80 + floor(code / 64) % 64, 0x80 + code % 64)
  end
  return string.char(
    0xF0 + floor(code / 262144), 0x80 + floor(code / 4096) % 64, 0x80 + floor(code / 64) % 64, 0x80 + code % 64
  )
end

-- UTF-16LE as UTF-8, up to the first null character; a surrogate without its other half is U+FFFD, and so
-- are U+FFFE and U+FFFF, because tshark would write PDML that no reader of XML takes.
local function text(data, at, size)
  local stop = at + size - size % 2
  stop = terminator(data, at, stop) or stop
  local ascii, units = gsub(sub(data, at + 1, stop), "([\1-\127])%z", "%1")
  if units * 2 == stop - at then return ascii end
  local parts, i = {}, at
  while i < stop do
    local unit = uint(data, i, 2)
    i = i + 2
    if unit >= 0xD800 and unit < 0xE000 then
      local low = i < stop and uint(data, i, 2) or 0
      if unit < 0xDC00 and low >= 0xDC00 and low < 0xE000 then
        unit = 0x10000 + (unit - 0xD800) * 1024 + (low - 0xDC00)
        i = i + 2
      else
        unit = 0xFFFD
      end
    elseif unit >= 0xFFFE then
      unit = 0xFFFD
    end
    parts[#parts + 1] = encode_utf8(unit)
  end
  return table.concat(parts)
end

-- ------------------------------------------------------------------------------------------------ runs

-- The size of a field that can stand in a run, or nil.
local function size_in_run(field)
  if field.present or field.outside or field.known or field.rival then return nil end
  if field.k == "u" or field.k == "i" or field.k == "flags" then return field.z end
  if field.k == "bytes" and field.len.k == "fixed" and field.len.n > 0 and not field.inside then return field.len.n end
  return field.k == "guid" and 16 or field.k == "seq" and 8 or nil
end

-- Divides the fields of a structure into steps, which are fields and runs, and notes where in which run a field is.
local function divide(structure)
  local steps, places, run = {}, {}, nil
  for _, field in ipairs(structure.fields) do
    local size = size_in_run(field)
    if size then
      if not run then
        run = { fields = {}, z = 0 }
        steps[#steps + 1] = { run = run }
      end
      local is_number = field.k == "u" or field.k == "i" or field.k == "flags"
      places[field.n] = { run = run, offset = run.z, z = size, is_number = is_number }
      run.fields[#run.fields + 1] = { field = field, offset = run.z, z = size }
      run.z = run.z + size
    else
      run = nil
      steps[#steps + 1] = { field = field }
    end
    steps[#steps].last = field.n
    if structure.extent and field.n == structure.extent.path[1] then run = nil end
  end
  structure.steps, structure.places = steps, places
end

for _, structure in ipairs(STRUCTURES) do
  for _, groups in pairs(structure.groups) do
    for _, group in pairs(groups) do with_powers(group, group.s, group.w) end
  end
  divide(structure)
end

-- ---------------------------------------------------------------------------------------------- frames
-- A frame is a structure at a place: where its runs are, and for each other field the frame of the part or the node.

local NONE = {}

local function new_frame(structure, data, at, up)
  return { s = structure, data = data, at = at, up = up, inner = NONE }
end

local function keep(frame, name, found)
  if frame.inner == NONE then frame.inner = {} end
  frame.inner[name] = found
end

-- The number of a field of a frame; nil where it has none.
local function value_of(frame, name)
  local place = frame.s.places[name]
  local at = place and frame[place.run]
  if at then
    if not place.is_number then return nil end
    return place.z <= 4 and uint(frame.data, at + place.offset, place.z) or 0
  end
  local own = frame.inner[name]
  return own and own.value
end

-- Where the bytes of a field of a frame are; nil where it is absent.
local function place_of(frame, name)
  local place = frame.s.places[name]
  local at = place and frame[place.run]
  return at and { at = at + place.offset, z = place.z } or frame.inner[name]
end

-- Where a field of a frame begins; nil where it is absent.
local function offset_of(frame, name)
  local found = place_of(frame, name)
  return found and found.at
end

-- Functions that give a number of a size, which begins behind the first bytes of a run of a frame.
local IN_RUN = {
  [1] = function(run, offset, otherwise)
    local first = offset + 1
    return function(frame)
      local at = frame[run]
      if at then return (byte(frame.data, at + first)) end
      return otherwise(frame)
    end
  end,
  [2] = function(run, offset, otherwise)
    local first, last = offset + 1, offset + 2
    return function(frame)
      local at = frame[run]
      if not at then return otherwise(frame) end
      local a, b = byte(frame.data, at + first, at + last)
      return a + b * 0x100
    end
  end,
  [4] = function(run, offset, otherwise)
    local first, last = offset + 1, offset + 4
    return function(frame)
      local at = frame[run]
      if not at then return otherwise(frame) end
      local a, b, c, d = byte(frame.data, at + first, at + last)
      return a + b * 0x100 + c * 0x10000 + d * 0x1000000
    end
  end,
}

-- A function that gives a number of a frame, as `value_of` does, or one group of its bits.
local function number_of(structure, name, group)
  local place = structure.places[name]
  local function otherwise(frame)
    local value = value_of(frame, name)
    return value and group and bits(value, group) or value
  end
  if not place or not place.is_number then return otherwise end
  local run, first, size = place.run, 0, place.z
  if group then
    first = floor(group.s / 8) -- bytes without bits of the group are not read
    size = floor((group.s + group.w - 1) / 8) - first + 1
  end
  local make = IN_RUN[size]
  if not make then return otherwise end
  local word = make(run, place.offset + first, otherwise)
  if not group then return word end
  local low, high = group.low / 2 ^ (first * 8), group.high / 2 ^ (first * 8)
  return function(frame)
    if not frame[run] then return otherwise(frame) end
    local value = word(frame)
    return (value % high - value % low) / low
  end
end

-- A function that gives the number at a path of a frame, or nil where it is absent; nil where the structure alone does
-- not tell which number that is.
local function number_at(structure, path, from)
  local head, name = path[from], path[from + 1]
  local field, groups = structure.names[head], structure.groups[head]
  if not field or field.k == "numbers" then return nil end
  if field.k == "struct" and name then
    local inner = number_at(STRUCTURES[field.s], path, from + 1)
    return inner and function(frame)
      local found = frame.inner[head]
      if found then return inner(found) end
    end
  end
  local group = groups and groups[name]
  if name and not group then return nil end
  return number_of(structure, head, group)
end

-- The number at a path, seen from a structure; 0 where the structure on the way is absent.
local function lookup(frame, path, from)
  local head, at_end = path[from], from == #path
  local here = frame
  while here do
    local inner = here.inner[head]
    if not at_end and inner and inner.s then return lookup(inner, path, from + 1) end
    local value = value_of(here, head)
    if value ~= nil then
      if at_end then return value end
      local group = here.s.groups[head] and here.s.groups[head][path[from + 1]]
      return group and bits(value, group) or 0
    end
    if here.s.names[head] then return 0 end
    here = here.up
  end
  return 0
end

-- The same; a path keeps how it is looked up from each structure.
local function get(frame, path)
  local structure = frame.s
  local number = path[structure]
  if number == nil then
    number = number_at(structure, path, 1) or false
    path[structure] = number
  end
  if number then return number(frame) or 0 end
  return lookup(frame, path, 1)
end

local function is_present(frame, present, left)
  local numbers = present.numbers
  if not numbers[1] then return left > 0 end
  local sum = get(frame, numbers[1])
  for index = 2, #numbers do sum = sum + get(frame, numbers[index]) end
  if present.value then return sum == present.value end
  return sum ~= 0
end

-- Whether another header stands where a part was announced: it says its own size and that of all that follows.
local function rival_stands(reader, rival, at, stop)
  local left = stop - at
  return left >= rival.size and left ~= rival.room and uint(reader.data, at + rival.own, 4) == rival.size
    and uint(reader.data, at + rival.rest, 4) == left - rival.size
end

-- ------------------------------------------------------------------------------------------------ state

local Reader = {}
Reader.__index = Reader

local function new_reader(data, budget)
  return setmetatable({ data = data, budget = budget, hidden = 0 }, Reader)
end

local function refuse(at, message)
  error({ refused = message, at = at }, 0)
end

local function plain(count)
  return format("%.0f", count)
end

local function hexadecimal(value)
  return format("0x%x", value)
end

local function plural(count, word)
  return format("%.0f %s%s", count, word, count == 1 and "" or "s")
end

local function in_bytes(count)
  return plural(count, "byte")
end

local function one_of(values)
  table.sort(values)
  for index, value in ipairs(values) do values[index] = hexadecimal(value) end
  return "one of " .. table.concat(values, ", ")
end

-- One of the library's sentences with its facts.
local function say(sentence, ...)
  return format(SENTENCES[sentence], ...)
end

-- The same of a field, by its name.
local function say_of(name, sentence, ...)
  return name .. ": " .. say(sentence, ...)
end

local function left_over(size)
  return say("left over", in_bytes(size))
end

local function append(parent, made)
  local children = parent.c
  if children then
    children[#children + 1] = made
  else
    parent.c = { made, nil, nil, nil } -- has room for some more
  end
end

-- A node below another, unless there are too many already; what is hidden is counted.
function Reader:node(parent, p, k, at, z)
  local made = { p = p, k = k, at = at, z = z }
  if not parent or parent.hidden or self.budget <= 0 then
    self.hidden = self.hidden + 1
    made.hidden = true
    return made
  end
  self.budget = self.budget - 1
  append(parent, made)
  return made
end

-- Makes the node of a run below another, like `node`, which itself has a run that comes first; false where only some of its fields are to be shown.
function Reader:run(parent, run, at)
  local count = #run.fields
  if parent.hidden then
    self.hidden = self.hidden + count
    return true
  end
  if self.budget < count then return false end
  self.budget = self.budget - count
  if parent.at == at and not parent.c and not parent.run then
    parent.run = run
  else
    append(parent, { run = run, at = at })
  end
  return true
end

local noted = false -- whether there is a note since a packet was shown

local function note(node, kind, message, requirement)
  noted = true
  node.x = node.x or {}
  for _, other in ipairs(node.x) do
    if requirement and other[3] == requirement then return end
  end
  node.x[#node.x + 1] = { kind, message, requirement }
end

function Reader:need(size, at, stop, name)
  if size > stop - at then
    refuse(at, say_of(name, "expected", in_bytes(size), plain(math.max(stop - at, 0))))
  end
end

-- ----------------------------------------------------------------------------------------------- lengths

local lengths = {}

function lengths.fixed(_, _, length) return length.n end

function lengths.counted(_, frame, length, _, _, field)
  local number = get(frame, length.path)
  if field.k == "text" then
    if length.per == 2 then
      if number % 2 == 1 then
        refuse(frame.at, say_of(length.path[#length.path], "odd", plain(number)))
      end
      return number
    end
    return number * 2
  end
  return floor(number / length.per)
end

function lengths.fill(_, frame, length)
  local taken = length.more
  for _, size in ipairs(length.sizes) do taken = taken + get(frame, size[1]) * size[2] end
  return (-taken) % length.boundary
end

function lengths.rest(_, _, _, at, stop, field)
  local left = stop - at
  return field.k == "text" and left - left % 2 or left
end

function lengths.terminated(reader, _, _, at, stop, field)
  local ends = terminator(reader.data, at, stop)
  if not ends then refuse(at, say_of(field.n, "unterminated", in_bytes(stop - at))) end
  return ends + 2 - at
end

function lengths.aligned(reader, frame, length, at, stop)
  if frame.packed and length.packed and length.packed[get(frame, length.selector)] then return 0 end
  local origin, boundary = frame.at, length.boundary
  local here = frame
  while here do
    if here.s.name == length.origin then
      origin = here.at
      break
    end
    here = here.up
  end
  if length.selector then boundary = length.boundaries[get(frame, length.selector)] or boundary end
  local size = (origin - at) % boundary
  if length.before then
    local function stands(where) return where + 2 <= stop and uint(reader.data, where, 2) == length.before end
    if stands(at) or not stands(at + size) then return 0 end
  end
  if length.cut_short and size > stop - at then return stop - at end
  return size
end

-- ------------------------------------------------------------------------------------- property values

local values = {}

local function count_of(reader, at, stop, least, name)
  if stop - at < 4 then refuse(at, say_of(name, "count missing", in_bytes(4), plain(stop - at))) end
  local count = uint(reader.data, at, 4)
  if count * least > stop - at - 4 then
    refuse(at, say_of(name, "elements above", in_bytes(stop - at - 4), plain(count)))
  end
  return count
end

function values.number(reader, parent, vt, at, stop)
  reader:need(vt.z, at, stop, vt.n)
  reader:node(parent, vt.p, vt.signed and "i" or "u", at, vt.z)
  return at + vt.z
end

function values.guid(reader, parent, vt, at, stop)
  reader:need(16, at, stop, vt.n)
  reader:node(parent, vt.p, "guid", at, 16)
  return at + 16
end

function values.nothing(_, _, _, at) return at end

function values.text(reader, parent, vt, at, stop)
  local ends = terminator(reader.data, at, stop)
  if not ends then refuse(at, say_of(vt.n, "unterminated", in_bytes(stop - at))) end
  reader:node(parent, vt.p, "text", at, ends + 2 - at).ends = 2
  return ends + 2
end

function values.blob(reader, parent, vt, at, stop)
  local count = count_of(reader, at, stop, 1, vt.n)
  reader:node(parent, "msmq.property.count", "u", at, 4)
  if count > 0 then reader:node(parent, vt.p, "bytes", at + 4, count) end
  return at + 4 + count
end

local function read_value(reader, parent, number, at, stop, depth)
  local vt = VARTYPES[number]
  if vt and values[vt.form] then return values[vt.form](reader, parent, vt, at, stop) end
  local element = number >= VECTOR and VARTYPES[number - VECTOR]
  if not element or element.form == "nothing" then
    refuse(at, say("variant type", hexadecimal(number)))
  end
  local count = count_of(reader, at, stop, element.least, element.n .. " vector")
  reader:node(parent, "msmq.property.count", "u", at, 4)
  at = at + 4
  if number == VECTOR + BYTE then
    if count > 0 then reader:node(parent, "msmq.property.vt_vector_ui1", "bytes", at, count) end
    return at + count
  end
  if element.form == "variant" and depth > MAX_DEPTH then refuse(at, "vectors of variants lie too deep") end
  for _ = 1, count do
    if element.form == "variant" then
      reader:need(2, at, stop, "the type of a variant")
      reader:node(parent, "msmq.property.vartype", "u", at, 2)
      at = read_value(reader, parent, uint(reader.data, at, 2), at + 2, stop, depth + 1)
    else
      at = values[element.form](reader, parent, element, at, stop)
    end
  end
  return at
end

-- ------------------------------------------------------------------------------------------------ fields

local kinds = {}

function kinds.u(reader, frame, node, field, at, stop)
  reader:need(field.z, at, stop, field.n)
  local value = field.z <= 4 and uint(reader.data, at, field.z) or 0
  local made = reader:node(node, field.p, field.k, at, field.z)
  made.value = value
  keep(frame, field.n, made)
  if field.known then
    local known = false
    for _, one in ipairs(field.known) do known = known or one == value end
    if not known then refuse(at, say_of(field.n, "expected", one_of({ table.unpack(field.known) }), hexadecimal(value))) end
  end
  return at + field.z
end

kinds.i = kinds.u

function kinds.flags(reader, frame, node, field, at, stop)
  reader:need(field.z, at, stop, field.n)
  local made = reader:node(node, field.p, field.k, at, field.z)
  made.g, made.value = field.g, uint(reader.data, at, field.z)
  keep(frame, field.n, made)
  return at + field.z
end

function kinds.guid(reader, frame, node, field, at, stop)
  reader:need(16, at, stop, field.n)
  keep(frame, field.n, reader:node(node, field.p, field.k, at, 16))
  return at + 16
end

function kinds.seq(reader, frame, node, field, at, stop)
  reader:need(8, at, stop, field.n)
  keep(frame, field.n, reader:node(node, field.p, field.k, at, 8))
  return at + 8
end

function kinds.numbers(reader, frame, node, field, at, stop)
  local count = get(frame, field.count)
  reader:need(count * field.z, at, stop, field.n)
  keep(frame, field.n, { value = { at = at, count = count, z = field.z } })
  for _ = 1, count do
    reader:node(node, field.p, "u", at, field.z)
    at = at + field.z
  end
  return at
end

function kinds.values(reader, frame, node, field, at, stop)
  local numbers = value_of(frame, field.ids)
  for index = 0, numbers.count - 1 do
    local number = uint(reader.data, numbers.at + index * numbers.z, numbers.z)
    local property = PROPERTIES[number]
    if not property then
      refuse(at, say_of(field.ids, "identifier", plain(number)))
    end
    local made = reader:node(node, field.p, "part", at)
    made.t = property[1] .. ": " .. vartype_name(property[2])
    local after = read_value(reader, made, property[2], at, stop, 1)
    made.z, at = after - at, after
  end
  return at
end

function kinds.bytes(reader, frame, node, field, at, stop)
  local size = field.length(reader, frame, field.len, at, stop, field)
  reader:need(size, at, stop, field.n)
  local made = size > 0 and reader:node(node, field.p, field.k, at, size)
  keep(frame, field.n, made or { at = at, z = 0 })
  if field.inside and made and not made.hidden then reader:inside(made, field.inside, at, size) end
  return at + size
end

function kinds.text(reader, frame, node, field, at, stop)
  if field.offset then
    local units, origin = get(frame, field.offset.path), offset_of(frame, field.offset.origin)
    if at - origin ~= units * 2 then
      refuse(frame.at, say_of(field.offset.path[1], "offset", plain(floor((at - origin) / 2)), plain(units)))
    end
  end
  local size = field.length(reader, frame, field.len, at, stop, field)
  reader:need(size, at, stop, field.n)
  local made = size > 0 and reader:node(node, field.p, field.k, at, size)
  if made and field.len.k == "terminated" then made.ends = 2 end
  keep(frame, field.n, made or { at = at, z = 0 })
  return at + size
end

local function part(reader, frame, node, field, structure, at, stop)
  local inner = new_frame(structure, reader.data, at, frame)
  keep(frame, field.n, inner)
  local made = reader:node(node, field.p, "part", at)
  made.t = field.n ~= structure.name and field.n .. ": " .. structure.name or nil
  return reader:structure(inner, made, at, stop)
end

function kinds.struct(reader, frame, node, field, at, stop)
  return part(reader, frame, node, field, STRUCTURES[field.s], at, stop)
end

function kinds.choice(reader, frame, node, field, at, stop)
  local selected = get(frame, field.sel)
  local form = field.forms[selected]
  if form == nil then
    local known = {}
    for value in pairs(field.forms) do known[#known + 1] = value end
    refuse(frame.at, say_of(table.concat(field.sel, "."), "expected", one_of(known), hexadecimal(selected)))
  end
  if not form then return at end
  return part(reader, frame, node, field, STRUCTURES[form], at, stop)
end

-- Whether the elements of a list fit only without their paddings.
local function is_packed(reader, frame, structure, count, at, stop)
  local stated = frame.at + get(frame, frame.s.extent.path)
  local function reached(packed)
    local trial, pos = new_reader(reader.data, 0), at
    for _ = 1, count do
      local inner = new_frame(structure, reader.data, pos, frame)
      inner.packed = packed
      local ok, after = pcall(trial.structure, trial, inner, { hidden = true }, pos, stop)
      if not ok then
        if type(after) ~= "table" or not after.refused then error(after, 0) end
        return stop + 1
      end
      pos = after
    end
    return pos
  end
  if reached(false) <= stated then return false end
  local ends = reached(true)
  return stated - 4 < ends and ends <= stated
end

local function read_items(reader, frame, node, field, count, at, stop, packed)
  local structure = STRUCTURES[field.s]
  for index = 1, count do
    local made = reader:node(node, field.p, "part", at)
    made.t = format("%s %.0f: %s", field.n, index, structure.name)
    local inner = new_frame(structure, reader.data, at, frame)
    inner.packed = packed
    if index == 1 then frame.first = inner end
    at = reader:structure(inner, made, at, stop)
  end
  return at
end

function kinds.items(reader, frame, node, field, at, stop)
  local structure, count, extent = STRUCTURES[field.s], get(frame, field.count), frame.s.extent
  local least = math.max(structure.least, 1)
  if count * least > stop - at then
    refuse(at, say_of(table.concat(field.count, "."), "count above", plain(floor((stop - at) / least)), plain(count)))
  end
  if not structure.packs or not extent then return read_items(reader, frame, node, field, count, at, stop, false) end
  -- Most fit with their paddings; otherwise what was read of them is dropped.
  local budget, hidden, reached, problem, children = reader.budget, reader.hidden, reader.reached, reader.problem, #(node.c or NONE)
  local ok, after = pcall(read_items, reader, frame, node, field, count, at, stop, false)
  if ok and after <= frame.at + get(frame, extent.path) and reader.problem == problem then return after end
  reader.budget, reader.hidden, reader.reached, reader.problem = budget, hidden, reached, problem
  for index = #(node.c or NONE), children + 1, -1 do node.c[index] = nil end
  return read_items(reader, frame, node, field, count, at, stop, is_packed(reader, frame, structure, count, at, stop))
end

-- ------------------------------------------------------------------------------------------------ rules

-- The groups of adjacent bits in a mask.
local function groups_of(mask)
  local groups, shift = {}, 0
  while mask > 0 do
    local width = 0
    while mask % 2 == 1 do mask, width = (mask - 1) / 2, width + 1 end
    if width > 0 then groups[#groups + 1] = with_powers({}, shift, width) end
    while mask > 0 and mask % 2 == 0 do mask, width = mask / 2, width + 1 end
    shift = shift + width
  end
  return groups
end

local function with_bits(value, groups)
  for _, group in ipairs(groups) do
    if bits(value, group) ~= 0 then return true end
  end
  return false
end

local COMPARE = {
  ["=="] = function(found, value) return found == value end,
  ["!="] = function(found, value) return found ~= value end,
  ["<="] = function(found, value) return found <= value end,
  ["in"] = function(found, value) return value[found] == true end,
  ["not in"] = function(found, value) return not value[found] end,
  ["within"] = function(found, value) return value[1] <= found and found <= value[2] end,
  ["with bits"] = with_bits,
  ["without bits"] = function(found, value) return not with_bits(found, value) end,
}

-- The frame that has the field at a path, and where in the path the field is; nil where a part is not there.
local function place(frame, path)
  local here, index = frame, 1
  while index < #path and here.inner[path[index]] and here.inner[path[index]].s do
    here, index = here.inner[path[index]], index + 1
  end
  return here, index
end

-- Whether a comparison holds; nil for a field that is not there. And the value.
local function compare(frame, row)
  local here, index = place(frame, row.path)
  local name = row.path[index]
  if not row.test then
    local there = place_of(here, name) ~= nil
    if row.op == "is there" then return there, 0 end
    return not there, 1
  end
  if type(value_of(here, name)) ~= "number" then return nil, 0 end
  local value = get(frame, row.path)
  return row.test(value, row.value), value
end

-- Notes in a comparison how it is made.
local function prepare(row, structure)
  row.test = COMPARE[row.op]
  if row.op == "with bits" or row.op == "without bits" then row.value = groups_of(row.value) end
  local test, value, number = row.test, row.value, row.test and number_at(structure, row.path, 1)
  row.holds = number and function(frame)
    local found = number(frame)
    if found then return test(found, value) end
  end or function(frame) return (compare(frame, row)) end
  for _, each in ipairs(row.when or {}) do prepare(each, structure) end
end

-- The path of the number that a comparison reads, without a group of its bits; nil where the structure alone does not
-- tell which number that is.
local function number_path(row, structure)
  if not row.test or not number_at(structure, row.path, 1) then return nil end
  local path, inner = {}, structure
  for _, name in ipairs(row.path) do
    path[#path + 1] = name
    local field = inner.names[name]
    if field.k ~= "struct" then return path end
    inner = STRUCTURES[field.s]
  end
end

-- Whether all conditions of a rule read the number that the rule is about.
local function reads_only(rule, structure, name)
  for _, row in ipairs(rule.when or {}) do
    if table.concat(number_path(row, structure) or {}, ".") ~= name then return false end
  end
  return true
end

-- Divides the rules of a structure: several about one number are a screen, which keeps for values of the number the
-- rules that these may violate, because a field of flags has few values.
local function divide_rules(structure)
  local screens = {}
  structure.screens, structure.others = {}, {}
  for _, rule in ipairs(structure.rules) do
    prepare(rule, structure)
    local path = number_path(rule, structure)
    local name = table.concat(path or { rule.id }, ".")
    rule.reads_only = reads_only(rule, structure, name)
    screens[name] = screens[name] or { number = path and number_at(structure, path, 1), rules = {}, suspects = {}, count = 0 }
    table.insert(screens[name].rules, rule)
  end
  for _, screen in pairs(screens) do
    if screen.number and #screen.rules > 2 then
      table.insert(structure.screens, screen)
    else
      for _, rule in ipairs(screen.rules) do table.insert(structure.others, rule) end
    end
  end
end

for _, structure in ipairs(STRUCTURES) do
  if structure.rules then divide_rules(structure) end
end

-- The node that shows a field of a frame, or has the notes about a field of a run; nil where there is none, or it is
-- hidden.
local function node_of(frame, name)
  local own, place = frame.inner[name], frame.s.places[name]
  local node = own and (own.node or own)
  if node then return node.p and not node.hidden and node or nil end
  local shown = frame.node.run == (place and place.run) and frame.node or nil
  for _, child in ipairs(place and frame.node.c or NONE) do
    if child.run == place.run then shown = child end
  end
  if not place or not shown then return nil end
  shown.notes = shown.notes or {}
  shown.notes[name] = shown.notes[name] or {}
  return shown.notes[name]
end

local function is_asked(frame, rule)
  local when = rule.when or NONE
  for index = 1, #when do
    if not when[index].holds(frame) then return false end
  end
  return true
end

local function is_violated(frame, rule)
  return rule.holds(frame) == false and is_asked(frame, rule)
end

-- The rules of a screen that a number may violate.
local function suspects_of(screen, frame, value)
  local found = {}
  for _, rule in ipairs(screen.rules) do
    if rule.holds(frame) == false and (not rule.reads_only or is_asked(frame, rule)) then found[#found + 1] = rule end
  end
  if screen.count == MAX_KEPT then screen.suspects, screen.count = {}, 0 end
  screen.suspects[value], screen.count = found, screen.count + 1
  return found
end

-- Whether a structure satisfies all its rules.
local function is_sound(frame)
  local screens, others = frame.s.screens, frame.s.others
  for index = 1, #screens do
    local screen = screens[index]
    local value = screen.number(frame)
    local suspects = value and (screen.suspects[value] or suspects_of(screen, frame, value)) or NONE
    for at = 1, #suspects do
      if is_asked(frame, suspects[at]) then return false end
    end
  end
  for index = 1, #others do
    if is_violated(frame, others[index]) then return false end
  end
  return true
end

-- Notes the violated rules of a structure, of those that compare numbers.
local function judge(frame, node)
  if node.hidden or not frame.s.rules or is_sound(frame) then return end
  for _, rule in ipairs(frame.s.rules) do
    if is_violated(frame, rule) then
      local _, value = compare(frame, rule)
      local here, index = place(frame, rule.path)
      note(node_of(here, rule.path[index]) or node, rule.level, format("%s: %s is %.0f and has to be %s",
        rule.id, table.concat(rule.path, "."), value, rule.words), rule.id)
    end
  end
end

-- --------------------------------------------------------------------------------------------- structures

for _, structure in ipairs(STRUCTURES) do
  structure.outside = {}
  for _, step in ipairs(structure.steps) do
    local field = step.field
    step.read = field and kinds[field.k]
    step.is_plain = field and not (field.outside or field.present or field.rival)
    step.narrows = structure.extent and step.last == structure.extent.path[1]
    if field and field.outside then structure.outside[#structure.outside + 1] = field end
  end
  for _, field in ipairs(structure.fields) do field.length = field.len and lengths[field.len.k] end
end

-- Reads the fields of a run; gives the offset behind it.
local function read_run(reader, frame, node, run, at, stop)
  if run.z <= stop - at and reader:run(node, run, at) then
    frame[run] = at
    return at + run.z
  end
  for _, row in ipairs(run.fields) do
    at = kinds[row.field.k](reader, frame, node, row.field, at, stop)
    reader.reached, node.z = at, at - node.at
  end
  return at
end

-- Reads a structure from `at`, which may reach to `stop`; gives the offset behind it.
function Reader:structure(frame, node, at, stop)
  local structure = frame.s
  local limit, extent, closed = stop, structure.extent, not structure.extent
  local steps = structure.steps
  node.at, frame.node = at, node
  for index = 1, #steps do
    local step, there = steps[index], true
    local field, run = step.field, step.run
    if run then
      at = read_run(self, frame, node, run, at, limit)
    elseif step.is_plain then
      at = step.read(self, frame, node, field, at, limit)
    else
      if field.outside and not closed then
        if at ~= limit then refuse(at, left_over(limit - at)) end
        limit, closed = stop, true
      end
      there = not field.present or is_present(frame, field.present, limit - at)
      if there and field.rival then
        local lost = self.outside_only and frame.up and at == limit
        there = not lost and not rival_stands(self, field.rival, at, limit)
      end
      if there then at = step.read(self, frame, node, field, at, limit) end
    end
    if there then
      self.reached = at
      node.z = at - node.at
    end
    if step.narrows then
      local size = get(frame, extent.path)
      limit = frame.at + floor((size + extent.multiple - 1) / extent.multiple) * extent.multiple
      if limit > stop then
        local name, multiple = extent.path[#extent.path], extent.multiple
        local most = in_bytes(floor((stop - frame.at) / multiple) * multiple)
        local message = say_of(name, "size above", most, plain(size))
        if multiple > 1 then message = say_of(name, "padded size above", most, plain(size), plain(limit - frame.at)) end
        if not self.lax then refuse(frame.at, message) end
        self.problem = self.problem or { refused = message, at = frame.at }
        limit = stop
      else
        for _, last in ipairs(structure.outside) do
          if is_present(frame, last.present, 0) and limit == stop and not self.outside_only then
            self.tried_inside = true
            limit = limit - STRUCTURES[last.s].fixed
          end
        end
      end
      if at > limit then refuse(at, say_of(extent.path[#extent.path], "size below", in_bytes(at - frame.at), plain(size))) end
    end
  end
  if not closed and at ~= limit then refuse(at, left_over(limit - at)) end
  if structure.rules and (frame.up or structure.name ~= "UserMessage") then judge(frame, node) end
  node.z = at - node.at
  if structure.name == "UserMessage" and not frame.up then self:carried(frame) end
  node.frame = frame
  return at
end

-- Tries to read a structure that fills some bytes; the node of the bytes gets its fields as children.
function Reader:inside(node, inside, at, size)
  local begins = inside.begins
  if size == 0 or sub(self.data, at + 1, at + #begins) ~= begins then return end
  local budget, hidden, kept = self.budget, self.hidden, node.c
  node.c = nil
  local frame = new_frame(STRUCTURES[inside.s], self.data, at, nil)
  local made = { at = at }
  local ok, after = pcall(self.structure, self, frame, made, at, at + size)
  if ok and after == at + size then
    node.c, node.frame, node.x, node.run, node.notes = made.c, frame, made.x, made.run, made.notes
  else
    if not ok and not (type(after) == "table" and after.refused) then error(after, 0) end
    self.budget, self.hidden, node.c = budget, hidden, kept
  end
end

local ENCRYPTED = { "Flags", "EB" }

-- Reads a directory message out of the body of a message; what is wrong with it is noted there.
function Reader:carried(frame)
  local user, properties = frame.inner.UserHeader, frame.inner.MessagePropertiesHeader
  local body = properties and properties.inner.MessageBody
  if not body or body.z == 0 then return end
  local queue = user.inner.DestinationQueue
  local number, name = queue and value_of(queue, "PrivateQueueIdentifier"), ""
  local direct = queue and queue.inner.DirectFormatName
  if direct then name = text(self.data, direct.at, direct.z):lower() end
  local class, found = value_of(properties, "MessageClass"), nil
  for kind, place in pairs(DIRECTORY_QUEUES) do
    if number == place[1] or (direct and name:sub(-#place[2]) == place[2]) then found = kind end
  end
  if not found then return end
  local returned = found == "REPLICATION" and class >= RETURNED[1] and class <= RETURNED[2]
  if class ~= 0 and not returned then return end
  local security = frame.inner.SecurityHeader
  if security and get(security, ENCRYPTED) == 1 then return end
  local at, stop = body.at, body.at + body.z
  local structure = STRUCTURES.ChangeNotificationMessage
  if found == "REPLICATION" then
    local base = STRUCTURES.BaseReplicationHeader
    structure = body.z >= base.least and STRUCTURES[OPERATIONS[byte(self.data, at + base.least)]] or base
  end
  local made = { at = at, k = "part", p = "msmq." .. structure.name:lower() }
  body.c = { made }
  local inner = new_frame(structure, self.data, at, nil)
  local ok, after = pcall(self.structure, self, inner, made, at, stop)
  if not ok then
    if type(after) ~= "table" or not after.refused then error(after, 0) end
    note(made, "malformed", after.refused)
  elseif after ~= stop then
    note(made, "malformed", left_over(stop - after))
  end
  frame.carried = inner
end

-- Reads a structure at an offset; gives its node, its frame, the offset behind what was understood, and what
-- is wrong with it. Never raises but for faults of this program.
local function read(reader, structure, at, stop)
  local function attempt()
    local frame, node = new_frame(structure, reader.data, at, nil), { p = "msmq." .. structure.name:lower(), k = "part", at = at, z = 0 }
    reader.problem, reader.reached = nil, at
    local ok, after = pcall(reader.structure, reader, frame, node, at, stop)
    if ok then return node, frame, after, reader.problem end
    if type(after) ~= "table" or not after.refused then error(after, 0) end
    return node, frame, reader.reached, reader.problem or after
  end
  local budget, hidden = reader.budget, reader.hidden
  reader.tried_inside, reader.outside_only = false, false
  local node, frame, after, problem = attempt()
  if problem and reader.tried_inside then
    reader.budget, reader.hidden, reader.outside_only = budget, hidden, true
    node, frame, after, problem = attempt()
  end
  return node, frame, after, problem
end
