"""Types of message bodies that the documents lack and implementations send."""

from __future__ import annotations

from typing import Final

__all__ = ["BODY_TYPES"]

BODY_TYPES: Final = {
    4: "VT_R4, a number of COM",
    5: "VT_R8, a number of COM",
    6: "VT_CY, an amount of money of COM",
    7: "VT_DATE, a time of COM",
    8: "VT_BSTR, a text of COM",
    30: "VT_LPSTR, a text of bytes",
    68: "VT_STREAMED_OBJECT, an object of COM",
    69: "VT_STORED_OBJECT, an object of COM",
    0x300: "768, an object of .NET that BinaryMessageFormatter wrote",
    0x2011: "VT_ARRAY | VT_UI1, an array of bytes of COM",
}
"""Values of `MessagePropertiesHeader.BodyType` that [MS-MQMQ] 2.2.12 lacks, with their names (M3)."""
