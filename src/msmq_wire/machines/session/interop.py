"""Settings and checks for an endpoint that imitates a version of Windows.

1. `PROFILES` contains the `Settings` for each version that has a profile in `msmq_wire.validate`.
2. An endpoint with a profile does not send features that its version lacks, according to the product behavior
   notes, and raises an error if it should.
3. It rejects messages with unsupported protection with the class that the document states.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_args

import msmq_wire as mw
from msmq_wire import mqmq
from msmq_wire.checks import profiles
from msmq_wire.packets.carriers import DirectoryQueue, queue_of
from msmq_wire.packets.packet import is_for_order_queue
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES

from .settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from msmq_wire.checks.profiles import ProfileName

_LAST_WITH_PING = 3
_FIRST_WITH_AES = 4
_AES_LEVEL = 5
_QUIET = frozenset({"windows-server-2008"})
"""The version of Message Queuing 4 that behaves like later ones in these points."""
_LAST_THAT_IS_NO_ACKNOWLEDGMENT = MESSAGE_CLASS_VALUES.MQMSG_CLASS_REPORT


def _settings(name: ProfileName) -> Settings:
    version = profiles.PROFILES[name].msmq_version
    old = version <= _LAST_WITH_PING
    return Settings(
        server_system="server" in name or name in {"windows-nt-4.0", "windows-2000"},
        asks_by_ping=old,
        answers_ping=old,
        acknowledges_system_queues=version <= _FIRST_WITH_AES and name not in _QUIET,
        journals_system_queues=version <= _FIRST_WITH_AES and name not in _QUIET,
        insecure_nacks=version <= _FIRST_WITH_AES and name not in _QUIET,
        profile=name,
    )


PROFILES: Mapping[ProfileName, Settings] = MappingProxyType(
    {name: _settings(name) for name in get_args(profiles.ProfileName)}
)
"""Settings by version of Windows, under the names that `msmq_wire.validate` knows.

They follow notes 1 to 4, 10, 25, 28, 41, 42, 56, 58 and 62 of [MS-MQQB] 6, and those of the other documents
that `msmq_wire.checks.profiles.ROWS` names; they are not confirmed by captures.  No profile contains the
number of bought licenses: set `Settings.licenses` for versions that count them (notes 12, 57 and 70).

Windows NT and 2000 were sold for clients and servers under one name; here they are servers.
"""


def require_sendable(packet: Any, profile: ProfileName | None) -> None:
    """Raise an error for a packet that no receiver accepts, or that the version of Windows cannot send.

    Raises:
        EncodeError: The packet is too large, uses a feature that the version lacks, or cannot be read from
            its bytes, as a session does before it sends them.
    """
    size = packet.BaseHeader.PacketSize
    if size > mw.MAX_PACKET_SIZE:
        raise mw.EncodeError(
            f"expected a packet of at most {mw.MAX_PACKET_SIZE:,} bytes, got {size:,}",
            structure=type(packet).__name__,
            path=f"{type(packet).__name__}.BaseHeader.PacketSize",
            expected=f"at most {mw.MAX_PACKET_SIZE}",
            actual=size,
        )
    try:
        mw.decode(mw.encode(packet))
    except mw.DecodeError as error:
        raise mw.EncodeError(
            f"cannot be read from its bytes ({error}): send the bytes without a session",
            structure=type(packet).__name__,
            path=error.path,
            expected=error.expected,
            actual=error.actual,
        ) from None
    if profile is None:
        return
    for violation in mw.validate(packet, profile=profile):
        if violation.note:
            raise mw.EncodeError(
                f"{profile} does not send this: {violation.message}",
                structure=type(packet).__name__,
                path=violation.path,
                expected=violation.allowed,
                actual=violation.found,
            )


def refusal(packet: mqmq.UserMessage, profile: ProfileName | None) -> int | None:
    """Return the class with which a version of Windows rejects a message early; None if it does not.

    It rejects hash algorithms that it lacks ([MS-MQQB] note 1) and unknown encryption ([MS-MQQB] note
    58).
    """
    if profile is None or packet.SecurityHeader is None:
        return None
    version, properties = profiles.PROFILES[profile], packet.MessagePropertiesHeader
    if packet.SecurityHeader.Flags.EB and (
        properties.PrivacyLevel == _AES_LEVEL and version.msmq_version < _FIRST_WITH_AES
    ):
        return MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_ENCRYPTION
    data, several = packet.SecurityHeader.SecurityData, packet.MultiQueueFormatHeader
    signed = (data is not None and data.Signature) or (several is not None and several.Signature.Signature)
    if signed and properties.HashAlgorithm not in version.hashes_taken:
        return MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_SIGNATURE
    return None


def goes_to_system_queue(packet: Any) -> bool:
    """Return whether a message is for an administration, notification or order queue ([MS-MQQB] notes 2, 62).

    An administration queue is recognized by its messages, which are acknowledgments.
    """
    if packet.MessagePropertiesHeader.MessageClass > _LAST_THAT_IS_NO_ACKNOWLEDGMENT:
        return True
    return is_for_order_queue(packet) or queue_of(packet) is DirectoryQueue.NOTIFICATION
