"""The patterns that are searched for in captures, as rows.

1. A `Pattern` has conditions for facts of a packet, a message or a connection, all of which have to hold.
   Its other texts explain it; pages of the documentation are generated from them.
2. `FACTS` defines each fact.  `collecting` computes them.
3. No pattern alone proves an attack.  ``alert``: no legitimate program sends it; ``warning``: it needs an
   explanation; ``info``: it helps an investigator.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

import msgspec

from msmq_wire.captures.flows.framing import DIFFERS
from msmq_wire.packets.reassembly import Kind

from .command_lines import PROGRAMS_WITH_ARGUMENTS
from .contents import PROGRAMS

Severity: TypeAlias = Literal["info", "warning", "alert"]
SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)
"""The severities, the lowest first."""
Subject: TypeAlias = Literal["packet", "segment", "message", "connection", "capture"]
Operator: TypeAlias = Literal["is", "is at least", "is known", "is unknown"]


class Condition(NamedTuple):
    """A condition for a fact.

    Attributes:
        fact: Its name, in `FACTS`.
        operator: How it is compared.
        value: With what; None if the operator needs nothing.
    """

    fact: str
    operator: Operator
    value: Any = None


class Pattern(msgspec.Struct, frozen=True, kw_only=True):
    """A sign of an attack.

    Attributes:
        id: Its identifier.
        name: A description in a few words.
        severity: ``info``, ``warning`` or ``alert``.
        subject: Where it is searched for: in each packet, segment that contradicts another one, message or
            connection, or in the captures together.
        conditions: The conditions, all of which must hold; for ``capture``, functions of `joining` compute
            the facts.
        evidence: A sentence about a finding, with facts in braces.
        unit: What ``count`` counts if the sentence is about all of them together; otherwise it is true so
            many times.
        references: Public identifiers: CVE, articles, sections of documents.
        meaning: What was captured, and what follows from it.
        looks_alike: Harmless causes of the same finding.
        action: The recommended action.
        limits: The limitations of the pattern.
    """

    id: str
    name: str
    severity: Severity
    subject: Subject
    conditions: tuple[Condition, ...] = ()
    evidence: str
    unit: str | None = None
    references: tuple[str, ...] = ()
    meaning: str
    looks_alike: str
    action: str
    limits: str


FACTS: Final[dict[str, str]] = {
    "kind": "``packet`` if it was read completely, otherwise ``head``.",
    "type": "Name of the structure, as in `packets`.",
    "direction": "``->`` from the side that opened the connection, ``<-`` to it.",
    "over_http": "`UserHeader.Flags.AH`: 1 if the message has the headers of a message over HTTP.",
    "returned": "1 if a remote read returned the packet, otherwise 0.",
    "wrong_length": (
        "The PacketSize that cannot be right, or the size, count or offset that leads out of the packet, "
        "with the numbers."
    ),
    "wrong_http_length": (
        "The length in SRMPEnvelopeHeader or CompoundMessageHeader that leads out of the packet, with the "
        "numbers."
    ),
    "excess": "By how many bytes the body that CompoundMessageHeader describes leaves its Data, if it does.",
    "body_end": "The sum of its MsgBodyOffset and MsgBodySize.",
    "data_size": "Its HTTPBodySize.",
    "first": "1 if it is the first packet of the opener of a TCP connection whose beginning was captured.",
    "tool": "The public tool that sends this identity of a queue manager.",
    "identity": "The identity.",
    "cause": "How it differs, as in `quarantine`.",
    "carries": "The directory queue whose messages have this form, as in `messages`.",
    "signed": "1 if the message has a signature of the sender.",
    "content": "What the body is, if it is an executable, a script or a command line, by its first bytes.",
    "types": "The types of a serialized .NET object in the body.",
    "gadgets": "Public gadget chains whose types are among them.",
    "requests": "Number of requests for a session of the opener.",
    "others": "Number of its packets that are not part of a request or its answer, in both directions.",
    "unanswered": "Messages of one side, if the other side acknowledges none of them.",
    "waited": "Seconds from the first message of a side to the last packet of the connection.",
    "one": "An address.",
    "two": "Another address.",
    "manager": "GUID of a queue manager.",
    "since": "When the first address asked for a session.",
    "until": "When it sent the last bytes in the connection.",
    "at": "When the other address asked for a session.",
    "apart": "How many seconds lie between the times at which their systems started.",
    "hosts": (
        "Number of addresses that a source asked for a session, or whether they accept one, and with which "
        "it exchanged nothing else; without those that it asked again and again."
    ),
    "contacted": "Number of addresses to which it sent packets.",
    "share": "How many percent of these the former are.",
    "most": "Largest number of connections in a minute.",
    "messages": "Largest number of messages in a minute.",
    "times": "How many times the usual number that is, the average of the other minutes or 1.",
    "minutes": "Minutes from the first to the last message to the host, without those with too many.",
    "servers": "Number of addresses that send and receive directory messages.",
}
"""The facts that conditions and sentences use."""

TOOLS: Final[dict[str, str]] = {
    "00000000-0000-0000-0000-000000000000": "zgrab2 and checks for CVE-2023-21554",
    "557358d1-9150-9595-4997-b6e611ea26c6": "the example in [MS-MQQB] 4.1 and copies of it in scripts",
    "33221100-5544-7766-8899-aabbccddeeff": "a public detector in Python",
}
"""Identities of queue managers in published tools, with the tools."""

_MESSAGES: Final = "UserMessage"

PATTERNS: Final = (
    Pattern(
        id="srmp-overflow",
        name="exploit of CVE-2023-21554 (QueueJumper)",
        severity="alert",
        subject="packet",
        conditions=(Condition("wrong_http_length", "is known"),),
        evidence="{wrong_http_length}",
        references=("CVE-2023-21554", "[MS-MQRR] 2.2.5.1.2"),
        meaning=(
            "A message in a session has the headers of a message over HTTP, and a length in "
            "SRMPEnvelopeHeader or CompoundMessageHeader reaches beyond the packet. Queue managers without "
            "the update of April 2023 compute an address from it and write there: code of the sender can "
            "run as the service."
        ),
        looks_alike=(
            "A fuzzer, or a packet that was damaged on its way in exactly this field. No queue manager "
            "sends these headers in a session."
        ),
        action=(
            "Treat the receiver as attacked. Check its update level, whether mqsvc.exe ended or restarted "
            "at this time, and what it did afterwards. Block TCP 1801 from networks that need no queues."
        ),
        limits=(
            "The capture does not show whether the receiver was vulnerable, or what it did. If bytes of the "
            "packet are missing, a length counts only if it exceeds PacketSize, or the largest packet if "
            "PacketSize cannot be right."
        ),
    ),
    Pattern(
        id="srmp-offset",
        name="body of a message over HTTP that leaves its header",
        severity="alert",
        subject="packet",
        conditions=(Condition("over_http", "is", 1), Condition("excess", "is at least", 1)),
        evidence=(
            "MsgBodyOffset and MsgBodySize of CompoundMessageHeader add up to {body_end:,}, but HTTPBodySize "
            "is {data_size:,}"
        ),
        references=("CVE-2023-21554", "[MS-MQRR] 2.2.5.1.2.2"),
        meaning=(
            "A message in a session has the headers of a message over HTTP, whose offset and size of the "
            "body lead out of the header. A receiver that believes them reads, or writes, other memory."
        ),
        looks_alike="A fuzzer. No queue manager sends these headers in a session.",
        action="As for srmp-overflow.",
        limits="Only if these fields were captured.",
    ),
    Pattern(
        id="srmp-probe",
        name="check for CVE-2023-21554 (QueueJumper)",
        severity="warning",
        subject="packet",
        conditions=(
            Condition("type", "is", _MESSAGES),
            Condition("over_http", "is", 1),
            Condition("returned", "is", 0),
            Condition("wrong_http_length", "is unknown"),
        ),
        evidence="UserHeader.Flags.AH is 1: a message over HTTP in a session",
        references=("CVE-2023-21554", "[MS-MQMQ] 2.2.19.2"),
        meaning=(
            "A message in a session says that it has the headers of a message over HTTP, which is "
            "forbidden. The public checks for CVE-2023-21554 send such a message with right lengths, and "
            "see by the answer to the next one whether the receiver has the update."
        ),
        looks_alike=(
            "A scan of your own vulnerability management. A program that stores messages with these headers."
        ),
        action="Ask whose scan it is. If it is nobody's, look for srmp-overflow from the same source.",
        limits=(
            "Messages over HTTP themselves use port 80 or 443, and are not read. A remote read may return a "
            "message that came over HTTP, and so it does not count."
        ),
    ),
    Pattern(
        id="length-beyond-packet",
        name="length or offset that leads out of its packet",
        severity="warning",
        subject="packet",
        conditions=(Condition("wrong_length", "is known"),),
        evidence="{wrong_length}",
        references=("KB 303270",),
        meaning=(
            "A size, count or offset leads out of the packet, or PacketSize cannot be right. Old queue "
            "managers computed addresses from such values and ended (KB 303270); other faults of this class "
            "were found later."
        ),
        looks_alike=(
            "Damage by the network or by a capture program, a fuzzer, a faulty tool, or another protocol "
            "that begins like a packet. For PacketSize, a sender that was stopped within a packet."
        ),
        action="Compare with other packets of this source. Repeated ones with changing fields are a fuzzer.",
        limits=(
            "Values that are wrong but fit into the packet are violations, not findings. A PacketSize that "
            "a packet may have counts if it is too small for the fields, if the next packet begins before "
            "the end that it states, if a remote read returned the whole packet in fewer bytes, or if all "
            "bytes of its direction in a session were captured, from the SYN to the FIN, and end before. If "
            "bytes of the packet are missing, another length counts only if it exceeds PacketSize. Of "
            "several in a packet, the first is told."
        ),
    ),
    Pattern(
        id="no-handshake",
        name="message without a handshake",
        severity="warning",
        subject="packet",
        conditions=(Condition("first", "is", 1), Condition("type", "is", _MESSAGES)),
        evidence="the first packet of the opener is a message; a queue manager asks for a session first",
        references=("[MS-MQQB] 3.1.5.2.3",),
        meaning=(
            "The side that opened the connection sent a message without asking for a session. Exploits and "
            "scripts do so, because old queue managers read the message all the same."
        ),
        looks_alike="A test program. A connection whose first bytes were captured wrongly.",
        action="Look at the message and at the source.",
        limits=(
            "Only connections whose beginning was captured, and only a message at its first byte: not one "
            "behind other bytes, such as those that a proxy expects."
        ),
    ),
    Pattern(
        id="tool-identity",
        name="identity of a published tool",
        severity="warning",
        subject="packet",
        conditions=(
            Condition("tool", "is known"),
            Condition("direction", "is", "->"),
        ),
        evidence="the sender is queue manager {identity}, like {tool}",
        references=("[MS-MQQB] 4.1",),
        meaning=(
            "The sender names itself by an identifier that no queue manager has, and that published "
            "scanners, checks and scripts contain as a constant."
        ),
        looks_alike="Your own scan.",
        action="Ask whose scan it is; see which other hosts this source reached.",
        limits="Tools with random identifiers are not known by them; see handshake-only and scan.",
    ),
    Pattern(
        id="segment-conflict",
        name="segments that contradict each other",
        severity="warning",
        subject="segment",
        conditions=(Condition("cause", "is", DIFFERS),),
        evidence="a segment has other bytes at the same place of the connection than another one",
        references=("RFC 9293 3.10.7.4",),
        meaning=(
            "Two segments, neither with a wrong checksum, have different bytes at the same sequence numbers. "
            "A sender never does that. Whoever can send into the connection can show one copy to sensors and "
            "the other one to the receiver, which takes one of them."
        ),
        looks_alike=(
            "A faulty network card, driver or capture program, a device that changes what it passes on, and "
            "two connections with the same ports, of which the beginning was not captured or the SYNs have "
            "one number, as those of tools that always take the same."
        ),
        action=(
            "Read both copies: the tables have packets of one, and quarantine has the other, with the kind "
            "conflict. What the receiver sent afterwards may tell which of them it took."
        ),
        limits=(
            "Only in connections that are read, and only segments whose checksum is not wrong, because the "
            "receiver drops the others. Keep-alives do not count. Nothing else is searched for in the copy "
            "in quarantine."
        ),
    ),
    Pattern(
        id="handshake-only",
        name="connection that only asks for a session",
        severity="info",
        subject="capture",
        conditions=(Condition("requests", "is at least", 1), Condition("others", "is", 0)),
        evidence="the opener asked for a session, and sent nothing else",
        references=("[MS-MQQB] 3.1.5.2.3",),
        meaning=(
            "The opener asked for a session, and sent nothing more. Scanners do so to identify a queue "
            "manager. All such connections from one address to another are one finding, with their number."
        ),
        looks_alike="A refused request, a connection that broke, a capture that ended or began here.",
        action="Nothing for one. See scan for many.",
        limits="None of the packets after the request was captured: that they did not exist is not certain.",
    ),
    Pattern(
        id="never-acknowledged",
        name="receiver that never acknowledges",
        severity="warning",
        subject="connection",
        conditions=(Condition("unanswered", "is at least", 1), Condition("waited", "is at least", 120)),
        evidence="messages of one side without an acknowledgment within {waited:,} seconds: {unanswered:,}",
        references=("[MS-MQQB] 3.1.5.8.4",),
        meaning=(
            "One side received messages for longer than the usual time-out of acknowledgments, 120 s, and "
            "acknowledged none. The sender has to keep them; many such connections exhaust it."
        ),
        looks_alike="A receiver that is overloaded, paused or was not captured completely.",
        action="See whether the receiver does so to all, or only this sender to one.",
        limits="Only if packets of the receiver were captured and no bytes of it are missing.",
    ),
    Pattern(
        id="directory-unsigned",
        name="directory message that is not signed",
        severity="warning",
        subject="message",
        conditions=(
            Condition("carries", "is known"),
            Condition("kind", "is", str(Kind.PACKET)),
            Condition("signed", "is", 0),
        ),
        evidence="a message for the {carries} queue of a queue manager has no signature",
        references=("[MC-MQDSRP] 3.1.7.2.1", "[MS-MQCN] 3.2.5.1"),
        meaning=(
            "A message that changes the directory, or says that it has changed, is not signed. A queue "
            "manager that accepts it lets anybody write into its directory."
        ),
        looks_alike="A message of a test program, or an application that uses this name of a queue.",
        action="Compare the changes in directory_changes with those of other servers.",
        limits="Signatures are not verified here; `msmq_wire.crypto` verifies them with the certificates.",
    ),
    Pattern(
        id="forged-identity",
        name="two computers claim to be one queue manager",
        severity="warning",
        subject="capture",
        unit="connection",
        evidence=(
            "{one} asked for a session as {manager} at {since} and sent until {until}; {two} asked for one "
            "as the same at {at}; by TimeStamp, their systems started {apart:,} seconds apart"
        ),
        references=("KB 830639", "[MS-MQQB] 3.1.5.2.3"),
        meaning=(
            "Two computers ask for sessions as the same queue manager: they have two addresses of one kind, "
            "IPv4 or IPv6, two of their connections overlap in time, and by TimeStamp of the requests their "
            "systems started at different times. One address asks while the other still sends in a "
            "connection for which it asked before. One of them may be forged: its messages count as those of "
            "the other."
        ),
        looks_alike=(
            "A computer that was cloned with its identifier, as in KB 830639, and two capture programs whose "
            "files are in one folder although their clocks differ."
        ),
        action="Find out which hosts have these addresses. Clones need an identifier of their own.",
        limits=(
            "Only requests that were captured, at one sensor. Addresses count as those of one computer if "
            "TimeStamp, which counts from the start of the system, and the times of capture give one start, "
            "to within two seconds, and one more for each 2,000 between the requests. So a computer with "
            "several addresses is not found, nor is one that a sensor sees on both sides of an address "
            "translation; neither is a forger who sends the TimeStamp that the true host would send, such "
            "as by repeating a request at once. A change of an address is none, nor is a return to an old "
            "one: a computer that has lost an address sends no more from it, whether it is leased again, "
            "translated to another one, or moved with a cluster. An address that only answers does not "
            "count, because a server is often reached by another one than it sends from. So a forger is not "
            "found while no connection for which the true host asked lasts."
        ),
    ),
    Pattern(
        id="scan",
        name="source that asks many hosts for a session and sends nothing else",
        severity="warning",
        subject="capture",
        conditions=(Condition("hosts", "is at least", 5), Condition("share", "is at least", 90)),
        unit="attempt",
        evidence=(
            "asked {hosts:,} of {contacted:,} hosts for a session, or by a PingPacket whether they accept "
            "one, and sent nothing else to them"
        ),
        references=("[MS-MQQB] 3.1.5.2.3", "[MS-MQQB] 2.1.2"),
        meaning=(
            "The source asked several hosts for a session, or whether they accept one, and sent other "
            "packets to few or none."
        ),
        looks_alike=(
            "Your own scan. A queue manager whose requests have all just begun to be refused, or a capture "
            "without its other packets."
        ),
        action="Ask whose scan it is. Look at the answers: they contain identifiers of queue managers.",
        limits=(
            "A host does not count if it opened a connection to the source that was used, nor if the source "
            "asked it three times or more, for at least a minute and at least once an hour on average: a "
            "queue manager asks its neighbours again and again while they do not answer, and a scanner that "
            "does so is not found. Nor are fewer than five hosts at one sensor, scanners that also send "
            "ConnectionParameters, PingPackets that are not from another port to port 3527, and requests of "
            "which a part was captured. Connections without a byte, such as a SYN without an answer, have "
            "no packets: they are rows of flows with the size 0."
        ),
    ),
    Pattern(
        id="connection-flood",
        name="many connections in a minute",
        severity="warning",
        subject="capture",
        conditions=(Condition("most", "is at least", 300),),
        unit="connection",
        evidence="opened up to {most:,} connections to one host in a minute",
        meaning=(
            "One source opened many connections to one host within a minute. A queue manager keeps one "
            "session with another."
        ),
        looks_alike="A test, or two hosts that cannot agree on a session and try again without a pause.",
        action="See in sessions whether messages are sent, or connections only opened.",
        limits=(
            "Only connections with packets. Minutes begin at full minutes, so a burst can be divided. For "
            "many messages see message-flood."
        ),
    ),
    Pattern(
        id="message-flood",
        name="many more messages in a minute than usual",
        severity="info",
        subject="capture",
        conditions=(
            Condition("messages", "is at least", 3000),
            Condition("times", "is at least", 10),
            Condition("minutes", "is at least", 30),
        ),
        unit="message",
        evidence=(
            "sent up to {messages:,} messages in a minute, {times:,} times what the host gets in an average "
            "one of {minutes:,} others"
        ),
        meaning=(
            "One source sent more messages to one host within a minute than the host usually gets from all. "
            "They fill its queues up to their quotas, and delay those of others."
        ),
        looks_alike=(
            "A batch, such as one at night, and what has waited for the end of an outage. Both are common, "
            "so this is no warning."
        ),
        action=(
            "See in violations whether the source waited for acknowledgments, as MQQB-3.1.7.1-01 asks, in "
            "dependencies who sent to which queue, and in deliveries whether messages were refused because "
            "of a quota, or expired, from then on. Compare with the same hour of other days."
        ),
        limits=(
            "Only messages in sessions that were captured completely, and only from connections with 100 in "
            "the minute. Minutes begin at full minutes. In a capture of less than half an hour, and for a "
            "host that is always busy, nothing is usual: see busiest_minute in queues and dependencies."
        ),
    ),
    Pattern(
        id="replayed-message",
        name="message from a second address that never got it",
        severity="info",
        subject="capture",
        evidence="sent messages that the host has from {one}, and none of them was seen going to this source",
        references=("[MS-MQQB] 3.1.5.8.1",),
        meaning=(
            "A host got a message with the same identifier and time from two addresses. A router sends on "
            "what it has got, but the second address was not seen getting it. It may send recorded messages "
            "again; a queue manager drops them as duplicates only if it remembers the first."
        ),
        looks_alike=(
            "A sender with several addresses, network address translation that the sensor sees from both "
            "sides, a cluster that moves to another host, and a router to which another way leads."
        ),
        action=(
            "See in hosts who has these addresses, and in deliveries, at variants, whether the messages "
            "differ. Look for other findings of the second address."
        ),
        limits=(
            "Only messages in sessions that were captured completely, at one sensor. A message from the same "
            "address is none: it is sent again after each broken session. One that goes to another host "
            "than before is none, either."
        ),
    ),
    Pattern(
        id="directory-stranger",
        name="directory messages from an address that receives none",
        severity="info",
        subject="capture",
        conditions=(Condition("servers", "is at least", 2),),
        evidence="sent directory messages and received none, unlike {servers} other addresses",
        references=("[MC-MQDSRP] 3.1.7.2.1", "[MS-MQCN] 3.2.5.1"),
        meaning=(
            "The address sends messages of the directory, but never receives one, as servers of the "
            "directory do."
        ),
        looks_alike="A server of which only one direction was captured, or that has just been added.",
        action="Compare with the list of servers, and with directory-unsigned.",
        limits="Only if two other addresses at the sensor both send and receive directory messages.",
    ),
    Pattern(
        id="dotnet-gadget",
        name="serialized .NET object that can run code",
        severity="alert",
        subject="message",
        conditions=(Condition("gadgets", "is known"),),
        evidence="the body has types of the gadget chain {gadgets}: {types}",
        references=("[MS-NRBF]", "CVE-2017-8565", "ysoserial.net", "CA2300"),
        meaning=(
            "The body is a serialized object of .NET with a class that public tools use to run commands "
            "when a receiver deserializes it, such as with BinaryMessageFormatter."
        ),
        looks_alike=(
            "An application that really sends such an object: a DataSet, a delegate or a principal. It has "
            "the same risk: anybody who may send to its queue can run code."
        ),
        action="Find out who reads this queue and how. Look at processes that the reader has started.",
        limits=(
            "Only objects that are a whole body in the binary format, and not encrypted. SOAP, JSON and "
            "objects in objects are not searched. Types are read by name and order, of at most 100,000 "
            "records and values; nothing is deserialized."
        ),
    ),
    Pattern(
        id="dotnet-object",
        name="serialized .NET object",
        severity="info",
        subject="message",
        conditions=(Condition("types", "is known"),),
        evidence="the body is a serialized .NET object: {types}",
        references=("[MS-NRBF]", "CA2300"),
        meaning=(
            "The body is an object in the format of BinaryFormatter. Whoever may send to the queue decides "
            "which types the reader creates."
        ),
        looks_alike="Every application with BinaryMessageFormatter.",
        action="List the readers of these queues, and move them to another format.",
        limits="As for dotnet-gadget.",
    ),
    Pattern(
        id="executable-body",
        name="executable, script or command line as a body",
        severity="warning",
        subject="message",
        conditions=(Condition("content", "is known"),),
        evidence="the body begins as {content}",
        meaning=(
            "The body is a program, or a command that starts one. Queues that carry programs are used to "
            "distribute, or to smuggle, software. A command runs if the reader of the queue runs what it "
            "gets."
        ),
        looks_alike="Software distribution and administration over queues, and a text that quotes a command.",
        action="Extract the body with `msmq-wire messages --extract`, and have it examined.",
        limits=(
            f"Only the first bytes decide: {PROGRAMS}. Other scripts, such as those of PowerShell, VBScript "
            "or JScript, begin like any text and are not found, nor are archives, documents, encoded and "
            "encrypted programs. A command line is UTF-8 or UTF-16. Its first word is a program, with or "
            "without a path, quotes and .exe, in any case: "
            f"{', '.join(PROGRAMS_WITH_ARGUMENTS)}. What follows has to look like its argument: an option, a "
            "path, an address, a file of code, or a cmdlet. Other programs are not found, nor are command "
            "lines in XML, JSON or an object, behind another word, or with carets in them."
        ),
    ),
)
"""The patterns, the most severe of a subject first."""
