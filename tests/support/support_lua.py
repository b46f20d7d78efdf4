"""Runs the dissector's file in a Lua interpreter without Wireshark, with stand-ins for its API."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from msmq_wire.wireshark import path

__all__ = ["loaded"]

STAND_INS = """
local made = { }
local any = setmetatable({}, { __index = function() return function() return {} end end })
ProtoField, base, ftypes, frametype = any, {}, {}, {}
expert = { group = {}, severity = {} }
ProtoExpert, Pref, Field, TreeItem, Tvb, Dissector = any, any, any, any, any, any
function Proto()
  return { prefs = {}, register_heuristic = function() made.heuristics = (made.heuristics or 0) + 1 end }
end
DissectorTable = {
  get = function() return { add = function() end } end,
  new = function() return { add = function() made.structures = (made.structures or 0) + 1 end } end,
}
return made
"""
PROBE = """
return function(name, data)
  local reader = new_reader(data, 100000)
  local node, frame, after, problem = read(reader, STRUCTURES[name], 0, #data)
  if not problem and after ~= #data then problem = { refused = left_over(#data - after) } end
  local leaves = {}
  local function walk(one)
    if one.p and one.k ~= "part" then
      leaves[#leaves + 1] = string.format("%s %d %d", one.p, one.at, one.z)
    end
    for _, row in ipairs(one.run and one.run.fields or {}) do
      leaves[#leaves + 1] = string.format("%s %d %d", row.field.p, one.at + row.offset, row.z)
    end
    for _, child in ipairs(one.c or {}) do walk(child) end
  end
  walk(node)
  return problem and problem.refused, table.concat(leaves, "\\n")
end
"""


def loaded(version: str) -> tuple[Any, Any]:
    """The declarations that the stand-ins recorded, and a function that reads a structure."""
    lua = import_module(f"lupa.{version}").LuaRuntime(encoding=None)
    made = lua.execute(STAND_INS.encode())
    return made, lua.execute(path().read_bytes() + PROBE.encode())
