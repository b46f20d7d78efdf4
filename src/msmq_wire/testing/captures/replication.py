"""Sessions in which directory servers, or strangers, send changes, as packets.

1. A session has its handshake, signed messages of [MC-MQDSRP], and an acknowledgment of each side that
   received some.
2. A server numbers its messages and its changes, so its sessions have to be requested in the order of time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msmq_wire as mw
from msmq_wire import GUID, mqqb
from msmq_wire.documents.directory_properties import pack
from msmq_wire.machines.replication.events import Command
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.testing.strategies.directory import signed
from msmq_wire.testing.strategies.sessions import Side

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random


class Server:
    """A host that sends changes of a directory.

    Args:
        name: Its name.
        ip: Its IP address.
        random: Determines the identifiers of its queue manager and of its site.

    Attributes:
        name: Its name.
        ip: Its IP address.
        manager: Identifier of its queue manager.
    """

    def __init__(self, name: str, ip: str, random: Random) -> None:
        self.name = name
        self.ip = ip
        self.manager, self._site = GUID(random.randbytes(16)), GUID(random.randbytes(16))
        self._sent = 0

    def change(self, receiver: Server, time: int) -> bytes:
        """Return a message with the next change, the new label of a queue.

        Args:
            receiver: The other server.
            time: When it is sent, in seconds since 1970.
        """
        self._sent += 1
        identifiers, values = pack({"PROPID_Q_LABEL": f"orders {self._sent}"})
        change = mqdsrp.DirectoryChange(
            Command=Command.UPDATE,
            PathName=rf"{self.name}\orders",
            PartitionID=self._site,
            PreviousSeqNumber=self._sent - 1,
            SeqNumber=self._sent,
            PropertyID=identifiers,
            PropertyValue=values,
        )
        header = mqdsrp.BaseReplicationHeader(SiteID=self._site)
        message = mqdsrp.ChangePropagationMessage(BaseReplicationHeader=header, DirectoryChanges=[change])
        return mw.encode(
            signed(mqdsrp.wrap(message, receiver.name, self.manager, message_id=self._sent, sent_time=time))
        )


def handshake(opener: GUID, acceptor: GUID, time: float) -> list[tuple[int, bytes]]:
    """Return the packets that open a session, each with its direction; the arguments are as for `session`."""
    header = mqqb.EstablishConnectionHeader(
        ClientGuid=opener, ServerGuid=acceptor, TimeStamp=int(time * 1000) & 0xFFFFFFFF
    )
    establish = mw.encode(mqqb.EstablishConnection(EstablishConnectionHeader=header))
    parameters = mw.encode(mqqb.ConnectionParameters())
    return [(0, establish), (1, establish), (0, parameters), (1, parameters)]


def session(ends: tuple[Server, Server], ways: Sequence[int], time: float) -> list[tuple[int, bytes]]:
    """Return the packets of a session, each with its direction: 0 from the opener, 1 to it.

    Args:
        ends: The server that opens it, and the other one.
        ways: The direction of each message.
        time: When it takes place, in seconds since 1970.
    """
    opener, acceptor = ends
    packets = handshake(opener.manager, acceptor.manager, time)
    sides = Side(opener.manager), Side(acceptor.manager)
    for way in ways:
        packets.append((way, ends[way].change(ends[1 - way], int(time))))
        sides[way].send(sides[1 - way], recoverable=False)
    for way, side in enumerate(sides):
        if side.received:
            packets.append((way, mw.encode(mqqb.SessionAck(SessionHeader=side.header()))))
    return packets
