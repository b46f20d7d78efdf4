-- -------------------------------------------------------------------------------------------- dissector
-- Shows what the reader found, puts packets together that span segments, and links what belongs together.
--
-- Where nobody looks at the tree of a packet, only the fields that a filter or a column asks for are added.

local msmq = Proto("msmq", "Message Queuing")
local single = Proto("msmq_structure", "Message Queuing, one structure")

local BUDGET = 100000 -- fields of one dissection; Wireshark itself gives up at a million items
local BASE, RIDER = STRUCTURES.BaseHeader.least, STRUCTURES.SessionHeader.least

-- Methods by their names; `tree:add_le(...)` would search for each of them again.
local add_item, add_le_item, append_text = TreeItem.add, TreeItem.add_le, TreeItem.append_text
local set_text, set_generated, is_referenced = TreeItem.set_text, TreeItem.set_generated, TreeItem.referenced
local range_of = Tvb.range

local FIELDS, UNITS, LABELS = {}, {}, {}
local list = {}

for _, one in ipairs(DECLARED) do
  local make, field = ProtoField[one.kind], nil
  local base_of = one.base and base[one.base]
  if one.kind == "none" or one.kind == "string" or one.kind == "bytes" or one.kind == "guid" then
    field = one.kind == "string" and make(one.abbr, one.name, base.UNICODE, one.doc)
      or one.kind == "bytes" and make(one.abbr, one.name, base.SPACE, one.doc)
      or make(one.abbr, one.name, one.doc)
  elseif one.kind == "absolute_time" then
    field = make(one.abbr, one.name, base.UTC, one.doc)
  elseif one.kind == "bool" then
    field = make(one.abbr, one.name, one.width, { "Set", "Not set" }, one.mask, one.doc)
  else
    local names = one.names
    if one.properties then
      names = {}
      for number, property in pairs(PROPERTIES) do names[number] = property[1] end
    end
    field = make(one.abbr, one.name, base_of, names, one.mask, one.doc)
  end
  FIELDS[one.abbr], UNITS[one.abbr], LABELS[one.abbr] = field, one.unit, one.labels
  list[#list + 1] = field
end

-- The fields of Wireshark beside those of the layouts, so that nothing is looked up by name for each packet.
for _, structure in ipairs(STRUCTURES) do
  for _, field in ipairs(structure.fields) do
    field.shown, field.unit, field.labels = FIELDS[field.p], UNITS[field.p], LABELS[field.p]
    -- Lists, because tables for each group would not stay in the caches of a processor.
    local groups = field.g
    if groups then groups.shown, groups.labelled = {}, {} end
    for index, group in ipairs(groups or {}) do
      groups.shown[index], group.labels = FIELDS[group[1]], LABELS[group[1]]
      if group.labels then groups.labelled[index] = with_powers(group, group[2], group[3]) end
    end
  end
end

local function reading(abbr, kind, name, ...)
  FIELDS["msmq." .. abbr] = ProtoField[kind]("msmq." .. abbr, name, ...)
  list[#list + 1] = FIELDS["msmq." .. abbr]
end

reading("packet", "string", "Packet", base.UNICODE, "Which structure it is")
reading("destination", "string", "Destination", base.UNICODE, "Format names of the destination queues")
reading("admin_queue", "string", "Administration queue", base.UNICODE, "Format names of the administration queues")
reading("response_queue", "string", "Response queue", base.UNICODE, "Format names of the response queues")
reading("format_name", "string", "Format name", base.UNICODE, "Name of a queue in a list")
reading("message_identifier", "string", "Message identifier", base.UNICODE, "Source queue manager and number")
reading("correlation_identifier", "string", "Correlation identifier", base.UNICODE, "The message that is meant; none if it is zero")
reading("label", "string", "Label", base.UNICODE, "Label without its terminator")
reading("body", "string", "Body", base.UNICODE, "Body as text, where its type says so")
reading("sender", "string", "Sender", base.UNICODE, "SID of the sender, or GUID of its queue manager")
reading("subqueue_name", "string", "Subqueue", base.UNICODE, "Subqueue of the message")
reading("target_subqueue_name", "string", "Target subqueue", base.UNICODE, "Where a pending move goes")
reading("address", "string", "Address", base.UNICODE, "Network address as text")
reading("requirement", "string", "Requirement", base.UNICODE, "Requirement that is broken")
reading("unrecognized", "bytes", "No packet", base.SPACE, "Bytes that belong to no packet")
reading("response_in", "framenum", "Response in", base.NONE, frametype.RESPONSE)
reading("response_to", "framenum", "Response to", base.NONE, frametype.REQUEST)
reading("response_time", "relative_time", "Response time", "Time since the request")
reading("acknowledges", "framenum", "Acknowledges", base.NONE, frametype.ACK)

local EXPERTS = {
  malformed = ProtoExpert.new("msmq.malformed", "Cannot be read", expert.group.MALFORMED, expert.severity.ERROR),
  must = ProtoExpert.new("msmq.must", "Breaks a requirement", expert.group.PROTOCOL, expert.severity.WARN),
  should = ProtoExpert.new("msmq.should", "Breaks a recommendation", expert.group.PROTOCOL, expert.severity.NOTE),
  hidden = ProtoExpert.new("msmq.hidden", "Fields that are not shown", expert.group.PROTOCOL, expert.severity.NOTE),
  fault = ProtoExpert.new("msmq.fault", "Fault of the dissector", expert.group.DEBUG, expert.severity.ERROR),
}
local experts = {}
for _, one in pairs(EXPERTS) do experts[#experts + 1] = one end

msmq.fields, msmq.experts = list, experts
msmq.prefs.reassemble = Pref.bool("Put packets together that span TCP segments", true, "TCP has to allow it as well")

local tcp_stream = Field.new("tcp.stream")
local handle -- of the dissector, as soon as it is registered

-- ------------------------------------------------------------------------------------------------ words

local function duration(count, unit)
  if unit == "s" and count == FOREVER then return "for ever" end
  local seconds = unit == "ms" and floor(count / 1000) or count
  if seconds < 60 then return unit == "ms" and format("%.3f s", count / 1000) or format("%.0f s", seconds) end
  local parts = {}
  for _, step in ipairs({ { 86400, "d" }, { 3600, "h" }, { 60, "min" }, { 1, "s" } }) do
    local number = floor(seconds / step[1])
    seconds = seconds - number * step[1]
    if number > 0 then parts[#parts + 1] = format("%.0f %s", number, step[2]) end
  end
  return table.concat(parts, " ")
end

local function shortened(value)
  value = value:gsub("[%c]", " ")
  if #value <= 80 then return value end
  local cut = 77
  while cut > 0 and byte(value, cut + 1) >= 0x80 and byte(value, cut + 1) < 0xC0 do cut = cut - 1 end
  return value:sub(1, cut) .. "..."
end

-- The format name of a queue, as the library writes it; nil where its host is not known.
local function format_name(data, queue, host)
  local kind = queue.s.name
  if kind == "MQFFormatNameElement" then
    return queue.inner.FormatName and format_name(data, queue.inner.FormatName, host)
  elseif queue.inner.DirectFormatName then
    local at = queue.inner.DirectFormatName
    return "DIRECT=" .. text(data, at.at, at.z)
  elseif kind == "PublicQueueFormatName" then
    return "PUBLIC=" .. guid(data, queue.at):upper()
  elseif kind == "MQFDistributionQueueFormatName" then
    return "DL=" .. guid(data, queue.at):upper()
  elseif kind == "PrivateQueueFormatName" then
    host = guid(data, queue.at)
  end
  local number = value_of(queue, "PrivateQueueIdentifier")
  return host and number and format("PRIVATE=%s\\%08X", host:upper(), number) or nil
end

local function sid(data, at, size)
  if size < 8 or byte(data, at + 1) ~= 1 or byte(data, at + 2) > 15 or size ~= 8 + 4 * byte(data, at + 2) then return nil end
  local high, low = byte(data, at + 3) * 256 + byte(data, at + 4), 0
  for i = at + 5, at + 8 do low = low * 256 + byte(data, i) end
  local parts = { "S-1", high == 0 and format("%.0f", low) or format("0x%04x%08x", high, low) }
  for i = at + 8, at + size - 4, 4 do parts[#parts + 1] = format("%.0f", uint(data, i, 4)) end
  return table.concat(parts, "-")
end

local function address(data, kind, at, size)
  if kind == 1 and size >= 4 then
    return format("%.0f.%.0f.%.0f.%.0f", byte(data, at + 1, at + 4))
  elseif kind == 6 and size >= 16 then
    local parts = {}
    for i = 0, 14, 2 do parts[#parts + 1] = format("%x", byte(data, at + i + 1) * 256 + byte(data, at + i + 2)) end
    return table.concat(parts, ":")
  end
end

local ADMIN_FORM, RESPONSE_FORM, SENDER_FORM = { "Flags", "AQ" }, { "Flags", "RQ" }, { "Flags", "ST" }
local REFUSED, PING_REFUSED = { "InternalHeader", "Flags", "CS" }, { "Flags", "RF" }
local BASE_FLAGS = { "BaseHeader", "Flags" }

-- What fields of a structure mean together: pairs of a name and a function that gives a text or nothing.
local READINGS = {}

local function guid_at(data, frame, name)
  local at = offset_of(frame, name)
  return at and guid(data, at)
end

local function queue_at(data, frame, name, host)
  return frame.inner[name] and format_name(data, frame.inner[name], host)
end

local function destination(data, frame)
  return queue_at(data, frame, "DestinationQueue", guid_at(data, frame, "QueueManagerAddress"))
end

local function admin_queue(data, frame)
  local host = get(frame, ADMIN_FORM) == 2 and "SourceQueueManager" or "QueueManagerAddress"
  return queue_at(data, frame, "AdminQueue", guid_at(data, frame, host))
end

local function response_queue(data, frame)
  local kind = get(frame, RESPONSE_FORM)
  if kind == 1 then return admin_queue(data, frame) end
  if kind == 4 then
    local admin = admin_queue(data, frame)
    return queue_at(data, frame, "ResponseQueue", admin and admin:match("^PRIVATE=([%x-]+)"))
  end
  local host = kind == 2 and "SourceQueueManager" or "QueueManagerAddress"
  return queue_at(data, frame, "ResponseQueue", guid_at(data, frame, host))
end

local function message_identifier(data, frame)
  local source, number = guid_at(data, frame, "SourceQueueManager"), value_of(frame, "MessageID")
  return source and number and format("%s\\%.0f", source, number)
end

READINGS.UserHeader = {
  { "destination", destination },
  { "admin_queue", admin_queue },
  { "response_queue", response_queue },
  { "message_identifier", message_identifier },
}

local function label(data, frame)
  local place = frame.inner.Label
  return place and place.z > 2 and text(data, place.at, place.z)
end

local function body(data, frame)
  local place, kind = frame.inner.MessageBody, value_of(frame, "BodyType")
  if not place or (kind ~= 31 and kind ~= 8) or place.z % 2 ~= 0 then return nil end
  local security = frame.up and frame.up.inner.SecurityHeader
  if security and get(security, ENCRYPTED) ~= 0 then return nil end
  -- A text with a terminator is none if it has characters behind it.
  local ends = kind == 31 and terminator(data, place.at, place.at + place.z)
  if ends and ends + 2 < place.at + place.z then return nil end
  return text(data, place.at, place.z)
end

local function correlation_identifier(data, frame)
  local place = place_of(frame, "CorrelationID")
  if not place or not find(sub(data, place.at + 1, place.at + place.z), "[^%z]") then return nil end
  return format("%s\\%.0f", guid(data, place.at), uint(data, place.at + 16, 4))
end

READINGS.MessagePropertiesHeader = {
  { "label", label },
  { "body", body },
  { "correlation_identifier", correlation_identifier },
}

local function sender(data, frame)
  local inner = frame.inner.SecurityData
  local place, kind = inner and inner.inner.SecurityID, get(frame, SENDER_FORM)
  if not place then return nil end
  return kind == 1 and sid(data, place.at, place.z) or kind == 2 and place.z == 16 and guid(data, place.at)
end
READINGS.SecurityHeader = { { "sender", sender } }

local function name_at(field)
  return function(data, frame)
    local place = place_of(frame, field)
    return place and uint(data, place.at, 2) > 0 and text(data, place.at, place.z)
  end
end
READINGS.SubqueueHeader = {
  { "subqueue_name", name_at("SubqueueName") },
  { "target_subqueue_name", name_at("TargetSubqueueName") },
}

local function host(data, frame)
  local place = place_of(frame, "Address")
  return place and address(data, value_of(frame, "AddressType"), place.at, place.z)
end
for _, name in ipairs({ "ExtendedAddressHeader", "UserHeaderAddress", "TA_ADDRESS" }) do
  READINGS[name] = { { "address", host } }
end

-- The names in one of the lists of a MultiQueueFormatHeader.
local function listed(name)
  return function(data, frame)
    local list = frame.up
    local lists = list and list.up
    return lists and lists.inner[name] == list and format_name(data, frame)
  end
end
READINGS.MQFFormatNameElement = {
  { "format_name", format_name },
  { "destination", listed("Destination") },
  { "admin_queue", listed("Administration") },
  { "response_queue", listed("Response") },
}

for _, readings in pairs(READINGS) do
  for _, one in ipairs(readings) do one.shown = FIELDS["msmq." .. one[1]] end
end

-- --------------------------------------------------------------------------------------------- the tree

-- Shows what is wrong with a node.
local function show_notes(notes, tree)
  for _, wrong in ipairs(notes) do
    tree:add_proto_expert_info(EXPERTS[wrong[1]], wrong[2])
    if wrong[3] then tree:add(FIELDS["msmq.requirement"], wrong[3]):set_generated() end
  end
end

local function append_meaning(item, data, at, size, unit, labels)
  local label = labels and labels[uint(data, at, size)]
  if label then
    append_text(item, " (" .. label .. ")")
  elseif unit then
    append_text(item, " (" .. duration(uint(data, at, size), unit) .. ")")
  end
end

local adders = {}

function adders.part(field, tree, range, node)
  local item = add_item(tree, field, range)
  if node.t then set_text(item, node.t) end
  return item
end

function adders.text(field, tree, _, node, tvb, data)
  local size = node.z - (node.ends or 0)
  local range, item = range_of(tvb, node.at, size), nil
  local units = sub(data, node.at + 1, node.at + size)
  if find(units, "[\216-\223]") or find(units, "[\254\255]\255") then
    -- Wireshark takes the unit behind half a surrogate for its other half, whatever it is, and keeps U+FFFF.
    item = add_item(tree, field, range, text(data, node.at, size))
  else
    item = tree:add_packet_field(field, range, ENC_UTF_16 + ENC_LITTLE_ENDIAN)
  end
  if node.ends then item:set_len(node.z) end
  return item
end

function adders.seq(field, tree, range) return add_item(tree, field, range) end

function adders.bytes(field, tree, range) return add_item(tree, field, range) end

local function add_number(field, tree, range, node, _, data)
  local item = add_le_item(tree, field, range)
  local unit, labels = UNITS[node.p], LABELS[node.p]
  if unit or labels then append_meaning(item, data, node.at, node.z, unit, labels) end
  return item
end

-- Shows bits; all of them, or those that are asked for.
local function show_groups(groups, tree, range, data, at, size, all)
  local shown, labelled = groups.shown, groups.labelled
  for index = 1, #shown do
    local field = shown[index]
    if all or is_referenced(tree, field) then
      local bit, group = add_le_item(tree, field, range), labelled[index]
      local label = group and group.labels[bits(uint(data, at, size), group)]
      if label then append_text(bit, " (" .. label .. ")") end
    end
  end
end

for _, structure in ipairs(STRUCTURES) do
  structure.readings = READINGS[structure.name]
  for _, step in ipairs(structure.steps) do
    local run = step.run
    if run then run.shown, run.offsets, run.sizes, run.adds, run.more = {}, {}, {}, {}, {} end
    for index, row in ipairs(run and run.fields or NONE) do
      local field = row.field
      local add = (field.k == "seq" or field.k == "bytes") and add_item or add_le_item
      run.shown[index], run.offsets[index], run.sizes[index], run.adds[index] = field.shown, row.offset, row.z, add
      run.more[index] = (field.g or field.unit or field.labels) and field or false
    end
  end
end

-- Shows the fields of a run; all of them, or those that are asked for or wrong.
local function show_run(node, tvb, tree, data, all)
  local run, from, noted_fields = node.run, node.at, node.notes
  local shown, offsets, sizes, adds, more = run.shown, run.offsets, run.sizes, run.adds, run.more
  for index = 1, #shown do
    local field, item, detail = shown[index], tree, more[index]
    local notes = noted_fields and noted_fields[run.fields[index].field.n]
    local is_shown = all or is_referenced(tree, field)
    if is_shown or notes or detail then
      local at, size = from + offsets[index], sizes[index]
      local range = range_of(tvb, at, size)
      if is_shown then item = adds[index](tree, field, range) end
      if detail then
        if is_shown and not detail.g then append_meaning(item, data, at, size, detail.unit, detail.labels) end
        if detail.g then show_groups(detail.g, item, range, data, at, size, all) end
      end
      if notes and notes.x then show_notes(notes.x, item) end
    end
  end
end

-- Shows a node and all below it; all, or what is asked for.
local function show(node, tvb, tree, data, all)
  if not node.p then return show_run(node, tvb, tree, data, all) end
  local field, item = FIELDS[node.p], tree
  local is_shown = all or is_referenced(tree, field)
  if is_shown or node.g then
    local range = range_of(tvb, node.at, node.z or 0)
    if is_shown then item = (adders[node.k] or add_number)(field, tree, range, node, tvb, data) end
    if node.g then show_groups(node.g, item, range, data, node.at, node.z, all) end
  end
  if node.run then show_run(node, tvb, item, data, all) end
  local children, frame = node.c or NONE, node.frame
  for index = 1, #children do show(children[index], tvb, item, data, all) end
  for _, one in ipairs(frame and frame.s.readings or NONE) do
    local value = (all or is_referenced(tree, one.shown)) and one[2](data, frame)
    if value and value ~= "" then set_generated(add_item(item, one.shown, value)) end
  end
  if node.x then show_notes(node.x, item) end
end

-- ------------------------------------------------------------------------------------------------ links

local sessions, messages, pings, links

local function forget()
  sessions, messages, pings, links = {}, {}, {}, {}
end

function msmq.init()
  forget()
end

local function way(pinfo)
  return tostring(pinfo.src) .. ":" .. tostring(pinfo.src_port)
end

local function conversation(pinfo)
  local stream = tcp_stream()
  if stream then return "tcp" .. tostring(stream.value) end
  local one, other = way(pinfo), tostring(pinfo.dst) .. ":" .. tostring(pinfo.dst_port)
  return one < other and one .. "-" .. other or other .. "-" .. one
end

-- Notes on the first pass that this frame asks or answers; `kept` has the request.
local function pair(pinfo, at, kept)
  local from = way(pinfo)
  if not kept.from or kept.from == from then
    kept.from, kept.number, kept.at, kept.time = from, pinfo.number, at, pinfo.rel_ts
    return
  end
  links[pinfo.number .. ":" .. at] = { response_to = kept.number, response_time = pinfo.rel_ts - kept.time }
  links[kept.number .. ":" .. kept.at] = { response_in = pinfo.number }
end

local function remember(pinfo, at, packet, data, frame)
  if pinfo.visited or (not frame) then return end
  if packet == "EstablishConnection" or packet == "ConnectionParameters" then
    local key = conversation(pinfo)
    sessions[key] = sessions[key] or {}
    sessions[key][packet] = sessions[key][packet] or {}
    pair(pinfo, at, sessions[key][packet])
  elseif packet == "PingPacket" and value_of(frame, "Cookie") then
    local key = conversation(pinfo) .. "/" .. format("%.0f", value_of(frame, "Cookie"))
    pings[key] = pings[key] or {}
    pair(pinfo, at, pings[key])
  elseif frame.inner.MessagePropertiesHeader then
    local user, properties = frame.inner.UserHeader, frame.inner.MessagePropertiesHeader
    local class, correlation = value_of(properties, "MessageClass"), place_of(properties, "CorrelationID")
    local source, number = offset_of(user, "SourceQueueManager"), value_of(user, "MessageID")
    if source and number then messages[sub(data, source + 1, source + 16) .. format("%.0f", number)] = pinfo.number end
    if class and class ~= 0 and correlation then
      local meant = sub(data, correlation.at + 1, correlation.at + 16)
      local about = messages[meant .. format("%.0f", uint(data, correlation.at + 16, 4))]
      if about and about ~= pinfo.number then links[pinfo.number .. ":" .. at] = { acknowledges = about } end
    end
  end
end

local function show_links(pinfo, at, tree)
  local found = links[pinfo.number .. ":" .. at]
  if not found then return end
  for _, name in ipairs({ "response_in", "response_to", "acknowledges" }) do
    if found[name] then tree:add(FIELDS["msmq." .. name], found[name]):set_generated() end
  end
  if found.response_time then
    local seconds = math.max(found.response_time, 0)
    local whole = floor(seconds)
    tree:add(FIELDS["msmq.response_time"], NSTime.new(whole, floor((seconds - whole) * 1e9 + 0.5))):set_generated()
  end
end

-- -------------------------------------------------------------------------------------------- info column

local SUMMARIES = {}

function SUMMARIES.UserMessage(data, frame)
  local user, properties = frame.inner.UserHeader, frame.inner.MessagePropertiesHeader
  local words = "Message"
  local class = properties and value_of(properties, "MessageClass")
  if class and class ~= 0 then words = MESSAGE_CLASSES[class] or format("Message of class 0x%x", class) end
  if frame.carried then words = frame.carried.s.name end
  if user then
    local lists = frame.inner.MultiQueueFormatHeader
    local first = lists and lists.inner.Destination and lists.inner.Destination.first
    local queue = destination(data, user) or first and format_name(data, first)
    if queue then words = words .. " to " .. shortened(queue) end
  end
  if properties then
    local label, body = properties.inner.Label, properties.inner.MessageBody
    if label and label.z > 2 then words = words .. format(', "%s"', shortened(text(data, label.at, math.min(label.z, 512)))) end
    if body and not frame.carried then words = words .. ", " .. plural(body.z, "byte") end
  end
  return words
end

local function acknowledgment(words)
  return function(_, frame, node)
    local body = frame.inner.MessagePropertiesHeader.inner.MessageBody
    local inner = body and body.frame
    if not inner then return words end
    return format("%s of transactional message %.0f", words, value_of(inner, "TxSequenceNumber"))
  end
end
SUMMARIES.OrderAck = acknowledgment("Order acknowledgment")
SUMMARIES.FinalAck = acknowledgment("Final acknowledgment")

function SUMMARIES.SessionAck(_, frame)
  local header = frame.inner.SessionHeader
  return format("Session acknowledgment of %s, window %.0f", plural(value_of(header, "AckSequenceNumber"), "message"), value_of(header, "WindowSize"))
end

function SUMMARIES.EstablishConnection(data, frame, _, is_response)
  local header = frame.inner.EstablishConnectionHeader
  local refused = get(frame, REFUSED) == 1 and ", refused" or ""
  local words = is_response and "Establish connection response" or "Establish connection request"
  return format("%s, client %s%s", words, guid_at(data, header, "ClientGuid"), refused)
end

function SUMMARIES.ConnectionParameters(_, frame, _, is_response)
  local header = frame.inner.ConnectionParametersHeader
  local refused = get(frame, REFUSED) == 1 and ", refused" or ""
  local words = is_response and "Connection parameters response" or "Connection parameters request"
  return format("%s, window %.0f%s", words, value_of(header, "WindowSize"), refused)
end

function SUMMARIES.PingPacket(data, frame, _, is_response)
  local words = is_response and "Ping response" or "Ping request"
  local refused = get(frame, PING_REFUSED) == 1 and ", refused" or ""
  return format("%s, cookie 0x%08x%s", words, value_of(frame, "Cookie"), refused)
end

-- --------------------------------------------------------------------------------------------- packets

-- Which acknowledgment a message without flags is, or nil ([MS-MQQB] 3.1.5.1.1).
local function acknowledgment_kind(data, frame)
  local properties, user = frame.inner.MessagePropertiesHeader, frame.inner.UserHeader
  for name in pairs(frame.inner) do
    if name ~= "BaseHeader" and name ~= "UserHeader" and name ~= "MessagePropertiesHeader" then return nil end
  end
  if not properties or get(frame, BASE_FLAGS) ~= 0 then return nil end
  local label, class = properties.inner.Label, value_of(properties, "MessageClass")
  if not label or label.z ~= 2 * #ORDER_LABEL + 2 or text(data, label.at, label.z) ~= ORDER_LABEL then return nil end
  local kind
  if class == 0xFF then
    if value_of(properties, "MessageSize") ~= STRUCTURES.OrderAckBody.least then return nil end
    kind = "OrderAck"
  elseif class >= 0x4000 then
    kind = "FinalAck"
  end
  local queue = user.inner.DestinationQueue
  if not kind or not queue then return nil end
  if queue.s.name == "PrivateQueueFormatNameId" then return value_of(queue, "PrivateQueueIdentifier") == 4 and kind or nil end
  local name = queue.inner.DirectFormatName
  local suffix = "\\private$\\order_queue$"
  local found = name and text(data, name.at, name.z):lower() or ""
  -- The terminator has to be there, and nothing behind it.
  if found:sub(-#suffix) ~= suffix or name.z ~= 2 * #found + 2 then return nil end
  return kind
end

local function kind_at(data, at, stop)
  if stop - at < 8 or byte(data, at + 3) % 16 < 8 then return "UserMessage" end
  if stop - at < BASE + STRUCTURES.InternalHeader.least then return nil end
  return INTERNAL[byte(data, at + BASE + 3) % 16]
end

local function read_packet(reader, at, stop)
  local kind = kind_at(reader.data, at, stop)
  if not kind then
    local node, frame, after = read(reader, STRUCTURES.BaseHeader, at, math.min(stop, at + BASE))
    return node, frame, after, { refused = "no packet type that is known", at = after }, "BaseHeader"
  end
  local node, frame, after, problem = read(reader, STRUCTURES[kind], at, stop)
  if kind == "UserMessage" and not problem then
    local acknowledges = acknowledgment_kind(reader.data, frame)
    if acknowledges then
      kind = acknowledges
      node.p, frame.s = "msmq." .. kind:lower(), STRUCTURES[kind]
      local body = frame.inner.MessagePropertiesHeader.inner.MessageBody
      if body then reader:inside(body, { s = kind .. "Body", begins = "" }, body.at, body.z) end
    end
    judge(frame, node)
  end
  return node, frame, after, problem, kind
end

local function show_packet(reader, node, frame, problem, kind, tvb, pinfo, tree, at, stop)
  local data = reader.data
  remember(pinfo, at, kind, data, not problem and frame or nil)
  local found = links[pinfo.number .. ":" .. at]
  local words = not problem and SUMMARIES[kind] and SUMMARIES[kind](data, frame, node, found and found.response_to)
    or (problem and kind .. ", malformed" or kind)
  local item = tree:add(msmq, tvb(at, stop - at), "Message Queuing, " .. words)
  item:add(FIELDS["msmq.packet"], kind):set_generated()
  show_links(pinfo, at, item)
  node.z = node.z or 0
  local all = tree.visible
  -- Whoever asks for a field refers to the protocol as well.
  if all or noted or is_referenced(tree, handle) then show(node, tvb, item, data, all) end
  noted = false
  if problem then item:add_proto_expert_info(EXPERTS.malformed, problem.refused) end
  if reader.hidden > 0 then
    item:add_proto_expert_info(EXPERTS.hidden, plural(reader.hidden, "field") .. " not shown")
    reader.hidden = 0
  end
  return words
end

local function is_marked(data, at)
  return byte(data, at + 1) == VERSION and sub(data, at + 5, at + 8) == MARK
end

-- Whether bytes could be the beginning of a packet, as far as they are there.
local function begins(data, at)
  local first, mark = byte(data, at + 1), sub(data, at + 5, at + 8)
  return (first == nil or first == VERSION) and MARK:sub(1, #mark) == mark
end

local function next_packet(data, at)
  local found = at + 4
  while true do
    found = find(data, MARK, found + 1, true)
    if not found then return nil end
    if found - 5 >= at and byte(data, found - 4) == VERSION then return found - 5 end
  end
end

-- How many bytes the packet at an offset takes; nil and the bytes that are missing to know, or false for none.
local function extent_at(reader, at, size, waits)
  local data, left = reader.data, size - at
  if left < BASE then return nil, BASE - left end
  local claimed = uint(data, at + 8, 4)
  if claimed < BASE or claimed > MAX_PACKET_SIZE then return false end
  if left < claimed then return nil, claimed - left end
  local flags = byte(data, at + 3)
  local rides = floor(flags / 16) % 2 == 1 and flags % 16 < 8
  if not rides then return claimed end
  if left == claimed then
    -- Some senders count the SessionHeader in PacketSize: then the packet is whole.
    local trial = new_reader(data, 0)
    local _, _, _, problem = read(trial, STRUCTURES.UserMessage, at, at + claimed)
    if not problem and not trial.outside_only then return claimed end
    return nil, RIDER
  end
  if begins(data, at + claimed) then
    if left - claimed >= 8 then return claimed end
    return nil, waits and 8 - (left - claimed) or 0
  end
  if left < claimed + RIDER then return nil, claimed + RIDER - left end
  return claimed + RIDER
end

local function finish(pinfo, words)
  pinfo.cols.protocol = "MSMQ"
  if #words > 0 then
    local more = #words > 4 and format(" and %.0f more", #words - 4) or ""
    pinfo.cols.info = table.concat(words, " | ", 1, math.min(#words, 4)) .. more
  end
end

local function dissect_stream(tvb, pinfo, tree)
  local size, data = tvb:len(), tvb:raw()
  local reader, words, at = new_reader(data, BUDGET), {}, 0
  local waits = pinfo.can_desegment > 0 and msmq.prefs.reassemble
  reader.lax = true
  while at < size do
    if not begins(data, at) then
      local after = next_packet(data, at + 1)
      -- The last bytes may be the beginning of a mark.
      local stop = after or size
      tree:add(msmq, tvb(at, stop - at), "Message Queuing, no packet"):add(FIELDS["msmq.unrecognized"], tvb(at, stop - at))
      words[#words + 1] = plural(stop - at, "byte") .. " that are no packet"
      at = stop
    else
      local extent, missing = extent_at(reader, at, size, waits)
      if extent == nil and waits and missing > 0 then
        pinfo.desegment_offset, pinfo.desegment_len = at, missing
        if #words > 0 then finish(pinfo, words) end
        return size
      end
      local stop = at + (extent or size - at)
      if extent == false then stop = next_packet(data, at + 1) or size end
      local node, frame, _, problem, kind = read_packet(reader, at, stop)
      words[#words + 1] = show_packet(reader, node, frame, problem, kind, tvb, pinfo, tree, at, stop)
      at = stop
    end
  end
  finish(pinfo, words)
  return size
end

local function dissect_ping(tvb, pinfo, tree)
  local data, size = tvb:raw(), tvb:len()
  local reader = new_reader(data, BUDGET)
  local node, frame, after, problem = read(reader, STRUCTURES.PingPacket, 0, size)
  if not problem and after ~= size then problem = { refused = left_over(size - after), at = after } end
  finish(pinfo, { show_packet(reader, node, frame, problem, "PingPacket", tvb, pinfo, tree, 0, size) })
  return size
end

-- Runs a part of the dissector; a fault of it is shown and goes no further.
local function guarded(dissect, tvb, pinfo, tree)
  if tvb:len() == 0 then return 0 end
  if not links then forget() end
  local ok, result = pcall(dissect, tvb, pinfo, tree)
  if ok then return result end
  tree:add(msmq, tvb()):add_proto_expert_info(EXPERTS.fault, type(result) == "table" and result.refused or tostring(result))
  return tvb:len()
end

function msmq.dissector(tvb, pinfo, tree)
  local is_udp = pinfo.port_type == 3
  return guarded(is_udp and not (tvb:len() >= 8 and is_marked(tvb:raw(0, 8), 0)) and dissect_ping or dissect_stream, tvb, pinfo, tree)
end

handle = Dissector.get("msmq")

local function claims_stream(tvb, pinfo, tree)
  if tvb:len() < 8 or not is_marked(tvb:raw(0, 8), 0) then return false end
  msmq.dissector(tvb, pinfo, tree)
  pinfo.conversation = msmq
  return true
end

local function claims_ping(tvb, pinfo, tree)
  local ping = STRUCTURES.PingPacket.least
  if tvb:len() ~= ping or tvb:raw(2, 2) ~= "HU" or tvb:raw(0, 1):byte() > 3 or tvb:raw(1, 1) ~= "\0" then return false end
  msmq.dissector(tvb, pinfo, tree)
  return true
end

msmq:register_heuristic("tcp", claims_stream)
msmq:register_heuristic("udp", claims_ping)
DissectorTable.get("tcp.port"):add(PORT, msmq)
DissectorTable.get("udp.port"):add(PING_PORT, msmq)

-- ------------------------------------------------------------------------------------------- one structure
-- The table `msmq.structure` reads bytes that are one structure, by its number: from exported PDUs, say.

local function dissect_structure(tvb, pinfo, tree)
  local structure = STRUCTURES[pinfo.match_uint]
  local data, size = tvb:raw(), tvb:len()
  local reader = new_reader(data, BUDGET)
  local node, frame, after, problem = read(reader, structure, 0, size)
  if not problem and after ~= size then problem = { refused = left_over(size - after), at = after } end
  if not problem and structure.name == "UserMessage" then judge(frame, node) end
  finish(pinfo, { show_packet(reader, node, frame, problem, structure.name, tvb, pinfo, tree, 0, size) })
  return size
end

function single.dissector(tvb, pinfo, tree)
  return guarded(dissect_structure, tvb, pinfo, tree)
end

local by_structure = DissectorTable.new("msmq.structure", "MSMQ structure", ftypes.UINT32, base.DEC, single)
for number = 1, #STRUCTURES do by_structure:add(number, single) end
