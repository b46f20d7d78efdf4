"""Switches for statements of [MS-MQQB] 3.1 that contradict each other, or that cannot be meant literally.

1. Every field of `Readings` is False for the interpretation of this library, and True for the literal text of
   the document.  The errata have the reasons.
2. `AS_PRINTED` follows the literal text everywhere.  Two queue managers that do so may close sessions, and
   lose or duplicate messages: use it to test another implementation.
3. There is no switch where the literal text cannot be implemented: with a window that counts messages before
   they are sent (errata Q28), no message could be sent.
"""

from __future__ import annotations

import msgspec


class Readings(msgspec.Struct, frozen=True, kw_only=True):
    """The interpretations of the endpoints of a queue manager; all of them are switches, off by default.

    Attributes:
        own_window: A sender keeps to its own window only (errata Q23).
        number_received_last: The number of a sequence is that of the message received last, also of one that
            was not accepted (errata Q24).
        numbered_anew: A message that is sent again in a later session gets a new number (errata Q26).
        duplicates_not_counted: A duplicate is discarded before it is counted (errata Q27).
        own_sequence: An OrderAck has the TxSequenceID of the other direction (errata Q29).
        empty_riders: A SessionHeader behind a message acknowledges no recoverable messages (errata Q32).
        late_acknowledgments: The Session Ack Send Timer has RecoverableAckTimeout for recoverable messages,
            also if AckTimeout would end earlier (errata Q35).
        counted_before_stored: The SessionAck that a recoverable message triggers counts this message (errata
            Q36).
        resends_by_acknowledgments: The resend interval grows with each OrderAck and not with each resending
            (errata Q37).
    """

    own_window: bool = False
    number_received_last: bool = False
    numbered_anew: bool = False
    duplicates_not_counted: bool = False
    own_sequence: bool = False
    empty_riders: bool = False
    late_acknowledgments: bool = False
    counted_before_stored: bool = False
    resends_by_acknowledgments: bool = False


AS_PRINTED = Readings(**dict.fromkeys(Readings.__struct_fields__, True))
"""The literal document."""
