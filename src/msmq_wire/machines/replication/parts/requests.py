"""Change requests: created here, forwarded, waiting, and answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.definitions.error_codes import NUMBERS
from msmq_wire.machines.replication.events import ChangeCompleted, ChangeRequestTimer
from msmq_wire.machines.replication.state import WaitingRequest
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.values.sequence_number import MIN_SEQ_NUMBER

if TYPE_CHECKING:
    from msmq_wire.machines.replication.events import ChangeRemoteObject
    from msmq_wire.machines.replication.state import ServerState

    from .authority import Authority
    from .neighbors import Neighbors
    from .outbox import Outbox
    from .partitions import Partitions

MQDS_UNKNOWN_SOURCE = NUMBERS["MQDS_UNKNOWN_SOURCE"]
# No document has the values of these two; they mean the same as these errors of [MS-MQMQ] 2.4 (errata D48).
MQDS_NO_RSP_FROM_OWNER = NUMBERS["MQ_ERROR_NO_RESPONSE_FROM_OBJECT_SERVER"]
MQDS_OWNER_NOT_REACHED = NUMBERS["MQ_ERROR_OBJECT_SERVER_NOT_AVAILABLE"]


class Requests:
    """Process Change Request events, [MC-MQDSRP] 3.3.7.1, that wait for a reply.

    Args:
        shared: The state that the parts of the server share.
        outbox: Takes requests, replies and timers.
        partitions: Determines the authority.
        neighbors: The servers that can be answered directly.
        authority: Applies requests for own partitions.
    """

    def __init__(
        self,
        shared: ServerState,
        outbox: Outbox,
        partitions: Partitions,
        neighbors: Neighbors,
        authority: Authority,
    ) -> None:
        self._shared = shared
        self._outbox = outbox
        self._partitions = partitions
        self._neighbors = neighbors
        self._authority = authority

    def change_remote_object(self, event: ChangeRemoteObject) -> None:
        """Change Remote Object, [MC-MQDSRP] 3.1.7.1.1; without path name, the object's GUID is used (D5)."""
        server = self._shared.server
        by_guid = (
            event.PathName is None
            and event.GuidIdentifier is not None
            and not self._shared.readings.requests_by_path_only
        )
        request = mqdsrp.ChangeRequestMessage(
            ChangeRequestHeader=mqdsrp.ChangeRequestHeader(
                BaseReplicationHeader=self._outbox.header(1),
                PartitionID=event.PartitionID,
                RequestIdentifier=event.RequestIdentifier,
                RequesterName=server.MachineName,
                PSCName=self._shared.volatile.MyPSCName if server.is_bsc else None,
            ),
            DirectoryChange=mqdsrp.DirectoryChange(
                Command=event.Operation,
                UseGuid=int(by_guid),
                PathName=None if by_guid else event.PathName or "",
                GuidIdentifier=event.GuidIdentifier if by_guid else None,
                PartitionID=event.PartitionID,
                PreviousSeqNumber=MIN_SEQ_NUMBER,
                SeqNumber=MIN_SEQ_NUMBER,
                PurgedSeqNumber=MIN_SEQ_NUMBER,
                PropertyID=event.PropertyID,
                PropertyValue=event.PropertyValue,
            ),
        )
        status = self.process_change_request(request, forwarded=False)
        if status is not None:
            self._outbox.add(ChangeCompleted(event.RequestIdentifier, status))

    def receive_change_request(self, message: mqdsrp.ChangeRequestMessage) -> None:
        """Receive Change Request, [MC-MQDSRP] 3.2.7.2: apply it, or forward it to the authority."""
        header = message.ChangeRequestHeader
        partition = self._partitions.own_partition(header.PartitionID)
        status: int | None
        if partition is not None:
            status = self._authority.execute(partition, message.DirectoryChange)
        else:
            if self._shared.readings.site_of_forwarder:
                own_header = mqdsrp.ChangeRequestHeader.raw(
                    self._outbox.header(1),
                    *(getattr(header, field.name) for field in header.layout.fields[1:]),
                )
                message = mqdsrp.ChangeRequestMessage.raw(own_header, message.DirectoryChange)
            status = self.process_change_request(message, forwarded=True)
        if status is not None:
            self.send_change_reply(status, message)

    def process_change_request(self, request: mqdsrp.ChangeRequestMessage, *, forwarded: bool) -> int | None:
        """Process Change Request, [MC-MQDSRP] 3.3.7.1: forward it and wait.

        A request that returns while it waits here is not forwarded again (errata D56).

        Returns: MQDS_UNKNOWN_SOURCE if it cannot be sent; None while it waits.
        """
        shared, header = self._shared, request.ChangeRequestHeader
        timer = ChangeRequestTimer(header.RequesterName, header.RequestIdentifier)
        key = (timer.RequesterName, timer.RequestIdentifier)
        if forwarded and key in shared.volatile.waiting and not shared.readings.requests_in_circles:
            return None
        partition = self._partitions.get(header.PartitionID)
        if shared.server.is_bsc:
            next_hop = shared.volatile.MyPSCName
        elif partition is None:
            return MQDS_UNKNOWN_SOURCE
        else:
            next_hop = partition.AuthorityName
        self._outbox.send_replication_message(next_hop, request)
        shared.volatile.waiting[key] = WaitingRequest(request, forwarded)
        direct = partition is not None and partition.AuthorityName == next_hop
        settings = shared.settings
        self._outbox.start_timer(timer, settings.reply_wait if direct else settings.forwarded_wait)
        return None

    def receive_change_reply(self, message: mqdsrp.ChangeReplyMessage) -> None:
        """Receive Change Reply, [MC-MQDSRP] 3.3.7.6, matched by requester and number (errata D20)."""
        timer = ChangeRequestTimer(message.RequesterName, message.RequestIdentifier)
        self._answered(timer, message.Result)

    def receive_change_request_nack(self, message: mqdsrp.ChangeRequestMessage) -> None:
        """Receive Change Request Nack, [MC-MQDSRP] 3.3.7.8."""
        header = message.ChangeRequestHeader
        timer = ChangeRequestTimer(header.RequesterName, header.RequestIdentifier)
        self._answered(timer, MQDS_OWNER_NOT_REACHED)

    def expired(self, timer: ChangeRequestTimer) -> None:
        """Handle the end of the waiting time of [MC-MQDSRP] 3.3.7.1."""
        self.end(timer, MQDS_NO_RSP_FROM_OWNER)

    def _answered(self, timer: ChangeRequestTimer, status: int) -> None:
        if (timer.RequesterName, timer.RequestIdentifier) in self._shared.volatile.waiting:
            self._outbox.cancel_timer(timer)
            self.end(timer, status)

    def end(self, timer: ChangeRequestTimer, status: int) -> None:
        """Complete a Process Change Request event with a status; ignore unknown ones."""
        waiting = self._shared.volatile.waiting.pop((timer.RequesterName, timer.RequestIdentifier), None)
        if waiting is None:
            return
        if waiting.forwarded:
            self.send_change_reply(status, waiting.message)
        else:
            self._outbox.add(ChangeCompleted(timer.RequestIdentifier, status))

    def send_change_reply(self, status: int, request: mqdsrp.ChangeRequestMessage) -> None:
        """Send Change Reply, [MC-MQDSRP] 3.2.7.6: to a neighbor, else through the requester's PSC (D25)."""
        header = request.ChangeRequestHeader
        requester = header.RequesterName
        reply = mqdsrp.ChangeReplyMessage(
            BaseReplicationHeader=self._outbox.header(4),
            RequestIdentifier=header.RequestIdentifier,
            Result=status,
            RequesterName=requester,
        )
        hop = requester if self._neighbors.is_known(requester) else header.PSCName or requester
        self._outbox.send_replication_message(hop, reply)
