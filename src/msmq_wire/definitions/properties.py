"""The PROPID table as data: the definition of each property identifier of [MS-MQMQ] 2.3.

1. Each row defines one subsection of [MS-MQMQ] 2.3, in the order of the document: section, number, name,
   variant type, rules, and description; then the constraint and the interpretation of the value.
2. The object class follows from the subsection (2.3.1 is the queue, and so on).
3. `rules` has one letter for each requirement of the section, in the order of their ids: ``t`` for number and
   variant type, ``v`` for a restriction of the value, ``p`` for a rule of processing.  Only the identifiers
   of [MC-MQDSRP] 2.2.1 and [MS-MQCN] 2.2.2.1 have a ``t``.
4. A choice or bit mask has the constants of the document.  If the document does not name them, the words are
   ours and `OneOf.named` is false.
5. A constraint on a vector applies to each of its elements.
6. `msmq_wire.documents.propid` searches this table and checks values.
"""

from __future__ import annotations

import enum
from typing import Final

import msgspec


class VARTYPE(enum.IntEnum):
    """The variant types of [MS-MQMQ] 2.2.12.

    A variant type on the wire is a plain number: one of these, or one of these with `VT_VECTOR` added.
    """

    VT_EMPTY = 0
    VT_NULL = 1
    VT_I2 = 2
    VT_I4 = 3
    VT_BSTR = 8
    """Not in the document; the name is ours, for a body type in a published capture ([MS-MQQB] 4.1.7)."""
    VT_BOOL = 11
    VT_VARIANT = 12
    VT_I1 = 16
    VT_UI1 = 17
    VT_UI2 = 18
    VT_UI4 = 19
    VT_I8 = 20
    VT_UI8 = 21
    VT_LPWSTR = 31
    VT_BLOB = 65
    VT_CLSID = 72
    VT_VECTOR = 0x1000


class ObjectClass(enum.IntEnum):
    """The kind of object that has a property: one member for each of [MS-MQMQ] 2.3.1 to 2.3.13.

    1 to 8 are the object types of [MS-MQMQ] 2.3.13.4 and [MC-MQDSRP] 3.1.1.4 (``MQDS_QUEUE`` is 1).  The
    other classes have no number in the documents; their negative numbers are ours and never on the wire.
    """

    QUEUE = 1
    MACHINE = 2
    SITE = 3
    DELETED_OBJECT = 4
    CONNECTED_NETWORK = 5
    ENTERPRISE = 6
    USER = 7
    ROUTING_LINK = 8
    SETTINGS = -8
    MQ_USER = -9
    COMPUTER = -10
    MANAGEMENT_MACHINE = -11
    MANAGEMENT_QUEUE = -12


class Form(enum.StrEnum):
    """The interpretation of a value beyond its variant type.

    The values are names of structures, or words of ours if the documents have no name.
    """

    BOOLEAN = "boolean"
    CERTIFICATE = "X.509 certificate"
    COMPUTER_NAME = "computer name"
    DIGEST = "MD5 digest"
    DISTINGUISHED_NAME = "distinguished name"
    FORMAT_NAME = "format name"
    FQDN = "fully qualified domain name"
    GUID = "GUID"
    IGNORED = "ignored"
    KILOBYTES = "kilobytes"
    LDAP_URL = "LDAP URL"
    MQDSPUBLICKEYS = "MQDSPUBLICKEYS"
    MQUSERSIGNCERTS = "MQUSERSIGNCERTS"
    MULTICAST_ADDRESS = "multicast address"
    OBJECT_TYPE = "object type"
    PATH_NAME = "path name"
    PUBLIC_KEY = "public key"
    RESERVED = "reserved"
    SECONDS = "seconds"
    SECURITY_DESCRIPTOR = "SECURITY_DESCRIPTOR"
    SECURITY_INFORMATION = "SECURITY_INFORMATION"
    SEQUENCE_INFO = "SEQUENCE_INFO"
    SEQUENCE_NUMBER = "SEQUENCE_NUMBER"
    SID = "SID"
    TA_ADDRESS = "TA_ADDRESS"
    TIME = "time"


class Grammar(enum.StrEnum):
    """A form of text that a property must match; with the name of its rule if the document has one."""

    CLASS_D = "an address from 224.0.0.0 to 239.255.255.255"
    DISTINGUISHED_NAME = "distinguishedName of RFC 4514"
    DNS_QUEUE_PATH_NAME = "QueuePathName of [MS-MQMQ] 2.1.1 with a full domain name"
    DS_SERVER = "DS of [MS-MQMQ] 2.3.11.3"
    FORMAT_NAME = "a format name of [MS-MQMQ] 2.1"
    FQDN = "a fully qualified domain name"
    HISTORY_ADDRESS = "Address of [MS-MQMQ] 2.3.12.25"
    LDAP_URL = "ldapurl of RFC 4516"
    MULTICAST_ADDRESS = "Address and Port of [MS-MQMQ] 2.1.6"
    NEXT_HOP = "Address of [MS-MQMQ] 2.3.12.12"
    QUEUE_FORMAT_NAME = "a format name of [MS-MQMQ] 2.1.2, 2.1.3, 2.1.4 or 2.1.6"
    QUEUE_PATH_NAME = "QueuePathName of [MS-MQMQ] 2.1.1"
    SAM_ACCOUNT = "up to 19 characters and a dollar sign"
    SUBQUEUE = "Subqueue of [MS-MQMQ] 2.1.1"


class Range(msgspec.Struct, frozen=True, gc=False):
    """The value is between two numbers, inclusive.

    Attributes:
        low: The lowest value allowed.
        high: The highest value allowed.
    """

    low: int
    high: int


class OneOf(msgspec.Struct, frozen=True, gc=False):
    """The value is one of several.

    Attributes:
        members: Each value and its name, in the order of the document.
        named: Whether the names are constants of the document; otherwise they are phrases of ours.
    """

    members: tuple[tuple[int | str, str], ...]
    named: bool = True


class Bits(msgspec.Struct, frozen=True, gc=False):
    """The value is zero or an OR of named bits.

    Attributes:
        members: Each bit and its name, lowest first.
    """

    members: tuple[tuple[int, str], ...]


class MaxLength(msgspec.Struct, frozen=True, gc=False):
    """The text has a maximum length.

    Attributes:
        characters: The maximum number of WCHARs, without the terminator.
    """

    characters: int


class Size(msgspec.Struct, frozen=True, gc=False):
    """The bytes have a fixed length.

    Attributes:
        bytes: The number of bytes.
    """

    bytes: int


class Matches(msgspec.Struct, frozen=True, gc=False):
    """The text follows a grammar.

    Attributes:
        grammar: The rule that the complete text must match.
    """

    grammar: Grammar


class AllOf(msgspec.Struct, frozen=True, gc=False):
    """The value meets several constraints; the n-th is the n-th value requirement of the property.

    Attributes:
        parts: The constraints, most general first.
    """

    parts: tuple[Range | OneOf | Bits | MaxLength | Size | Matches, ...]


class Item(msgspec.Struct, frozen=True, gc=False):
    """One array inside a value of type ``VT_VARIANT | VT_VECTOR``.

    Attributes:
        name: The name of the array in the document.
        vartype: The variant type of the array.
        constraint: The constraint on each of its elements, or None.
        kind: The interpretation of each of its elements.
        nested: Whether an element may itself be an array of such elements.
    """

    name: str
    vartype: int
    constraint: OneOf | Matches | None = None
    kind: Form | None = None
    nested: bool = False


class Items(msgspec.Struct, frozen=True, gc=False):
    """The value is a fixed list of arrays; the n-th constrained one is the n-th value requirement.

    Attributes:
        items: The arrays in order.
    """

    items: tuple[Item, ...]


Constraint = Range | OneOf | Bits | MaxLength | Size | Matches | AllOf | Items
"""Any constraint on the value of a property."""


class Property(msgspec.Struct, frozen=True, gc=False):
    """One property identifier of [MS-MQMQ] 2.3.

    Attributes:
        number: The PROPID.  Unique among directory properties; the two management classes reuse 1 to 27.
        name: The name in the document, such as ``PROPID_Q_LABEL``.  Unique.
        object_class: The kind of object that has the property.
        vartype: The variant type as a plain number, `VARTYPE.VT_VECTOR` included.
        section: The subsection of [MS-MQMQ].
        description: A short description of the value.
        constraint: The constraint on the value beyond the width of its type, or None.
        kind: The interpretation of the value, or None for a plain number or text.
        since: The first version of MSMQ that has the property.
        in_directory_messages: Whether [MC-MQDSRP] 2.2.1 or [MS-MQCN] 2.2.2.1 lists it.
        in_change_notification: Whether [MS-MQCN] 2.2.2.1 lists it.
        requirements: Ids of all requirements of the section.
        value_requirements: Ids of the requirements on the value, in the order of the parts of the constraint.
        type_requirement: Id of the requirement on number and variant type, or None.
    """

    number: int
    name: str
    object_class: ObjectClass
    vartype: int
    section: str
    description: str
    constraint: Constraint | None = None
    kind: Form | None = None
    since: int = 1
    in_directory_messages: bool = False
    in_change_notification: bool = False
    requirements: tuple[str, ...] = ()
    value_requirements: tuple[str, ...] = ()
    type_requirement: str | None = None


CHANGE_NOTIFICATION: Final = frozenset(
    (*range(101, 116), 125, 126, 201, 202, 206, 207, 214, 215, 216, 218, 219, 220, 1101, 1201, 1403, 1404)
)
"""The identifiers of [MS-MQCN] 2.2.2.1."""

_CLASS_OF_SECTION: Final = {
    "2.3.1": ObjectClass.QUEUE,
    "2.3.2": ObjectClass.MACHINE,
    "2.3.3": ObjectClass.SITE,
    "2.3.4": ObjectClass.CONNECTED_NETWORK,
    "2.3.5": ObjectClass.ENTERPRISE,
    "2.3.6": ObjectClass.USER,
    "2.3.7": ObjectClass.ROUTING_LINK,
    "2.3.8": ObjectClass.SETTINGS,
    "2.3.9": ObjectClass.MQ_USER,
    "2.3.10": ObjectClass.COMPUTER,
    "2.3.11": ObjectClass.MANAGEMENT_MACHINE,
    "2.3.12": ObjectClass.MANAGEMENT_QUEUE,
    "2.3.13": ObjectClass.DELETED_OBJECT,
}

_SINCE_OF_CLASS: Final = {ObjectClass.SETTINGS: 2, ObjectClass.MQ_USER: 2, ObjectClass.COMPUTER: 2}

# The requirement of a structure, if the section of the property has none about its value.
_REQUIREMENT_OF_KIND: Final = {
    Form.SECURITY_INFORMATION: "MQMQ-2.2.3-01",
    Form.SEQUENCE_NUMBER: "MQDSRP-2.2.2-01",
}


def _p(
    section: str,
    number: int,
    name: str,
    vartype: int,
    rules: str,
    description: str,
    *,
    constraint: Constraint | None = None,
    kind: Form | None = None,
    since: int | None = None,
) -> Property:
    object_class = _CLASS_OF_SECTION[section.rpartition(".")[0]]
    ids = tuple(f"MQMQ-{section}-{n:02}" for n in range(1, len(rules) + 1))
    typed = rules.find("t")
    value_ids = tuple(identifier for identifier, rule in zip(ids, rules, strict=True) if rule == "v")
    if kind is None and vartype & ~VT_VECTOR == VT_CLSID:
        kind = Form.GUID
    if not value_ids and constraint is not None and kind in _REQUIREMENT_OF_KIND:
        value_ids = (_REQUIREMENT_OF_KIND[kind],)
    return Property(
        number,
        name,
        object_class,
        int(vartype),
        section,
        description,
        constraint,
        kind,
        since or _SINCE_OF_CLASS.get(object_class, 1),
        in_directory_messages=typed >= 0,
        in_change_notification=number in CHANGE_NOTIFICATION,
        requirements=ids,
        value_requirements=value_ids,
        type_requirement=ids[typed] if typed >= 0 else None,
    )


def _named(**members: int | str) -> OneOf:
    return OneOf(tuple((value, name) for name, value in members.items()))


def _unnamed(*members: tuple[int, str]) -> OneOf:
    return OneOf(members, named=False)


VT_I2: Final = VARTYPE.VT_I2
VT_I4: Final = VARTYPE.VT_I4
VT_I8: Final = VARTYPE.VT_I8
VT_UI1: Final = VARTYPE.VT_UI1
VT_UI2: Final = VARTYPE.VT_UI2
VT_UI4: Final = VARTYPE.VT_UI4
VT_UI8: Final = VARTYPE.VT_UI8
VT_LPWSTR: Final = VARTYPE.VT_LPWSTR
VT_BLOB: Final = VARTYPE.VT_BLOB
VT_CLSID: Final = VARTYPE.VT_CLSID
VT_VARIANT: Final = VARTYPE.VT_VARIANT
VT_VECTOR: Final = VARTYPE.VT_VECTOR

_DN: Final = Matches(Grammar.DISTINGUISHED_NAME)
_MD5: Final = Size(16)
_SEQUENCE_NUMBER: Final = Size(8)
_UI4: Final = Range(0, 0xFFFFFFFF)
_LINK_COST: Final = Range(1, 999999)
_NO_OR_YES: Final = _unnamed((0, "no"), (1, "yes"))
_SCOPE: Final = _named(MQDS_SITESCOPE=0, MQDS_ENTERPRISESCOPE=1)
_SERVICE: Final = (
    (0x00, "none"),
    (0x01, "routing server"),
    (0x02, "backup site controller"),
    (0x04, "primary site controller"),
    (0x08, "primary enterprise controller"),
)
# [MS-MQMQ] 2.2.3
_SECURITY_INFORMATION: Final = Bits(
    (
        (0x1, "OWNER_SECURITY_INFORMATION"),
        (0x2, "GROUP_SECURITY_INFORMATION"),
        (0x4, "DACL_SECURITY_INFORMATION"),
        (0x8, "SACL_SECURITY_INFORMATION"),
    )
)
# [MS-SAMR] 2.2.1.13
_UF_FLAG: Final = Bits(
    (
        (0x00000001, "UF_SCRIPT"),
        (0x00000002, "UF_ACCOUNTDISABLE"),
        (0x00000008, "UF_HOMEDIR_REQUIRED"),
        (0x00000010, "UF_LOCKOUT"),
        (0x00000020, "UF_PASSWD_NOTREQD"),
        (0x00000040, "UF_PASSWD_CANT_CHANGE"),
        (0x00000080, "UF_ENCRYPTED_TEXT_PASSWORD_ALLOWED"),
        (0x00000100, "UF_TEMP_DUPLICATE_ACCOUNT"),
        (0x00000200, "UF_NORMAL_ACCOUNT"),
        (0x00000800, "UF_INTERDOMAIN_TRUST_ACCOUNT"),
        (0x00001000, "UF_WORKSTATION_TRUST_ACCOUNT"),
        (0x00002000, "UF_SERVER_TRUST_ACCOUNT"),
        (0x00010000, "UF_DONT_EXPIRE_PASSWD"),
        (0x00020000, "UF_MNS_LOGON_ACCOUNT"),
        (0x00040000, "UF_SMARTCARD_REQUIRED"),
        (0x00080000, "UF_TRUSTED_FOR_DELEGATION"),
        (0x00100000, "UF_NOT_DELEGATED"),
        (0x00200000, "UF_USE_DES_KEY_ONLY"),
        (0x00400000, "UF_DONT_REQUIRE_PREAUTH"),
        (0x00800000, "UF_PASSWORD_EXPIRED"),
        (0x01000000, "UF_TRUSTED_TO_AUTHENTICATE_FOR_DELEGATION"),
        (0x02000000, "UF_NO_AUTH_DATA_REQUIRED"),
        (0x04000000, "UF_PARTIAL_SECRETS_ACCOUNT"),
        (0x08000000, "UF_USE_AES_KEYS"),
    )
)

# The entries of PROPID_MGMT_QUEUE_EOD_SOURCE_INFO, [MS-MQMQ] 2.3.12.24
_SOURCE_INFO: Final = Items(
    (
        Item("Format name", VT_LPWSTR | VT_VECTOR, Matches(Grammar.FORMAT_NAME), Form.FORMAT_NAME),
        Item("Sender ID", VT_CLSID | VT_VECTOR, kind=Form.GUID),
        Item("Sequence ID", VT_UI8 | VT_VECTOR),
        Item("Sequence number", VT_UI4 | VT_VECTOR),
        Item("Last access time", VT_I4 | VT_VECTOR, kind=Form.TIME),
        Item("Message reject count", VT_UI4 | VT_VECTOR),
    )
)

# The entries of PROPID_MGMT_QUEUE_CONNECTION_HISTORY, [MS-MQMQ] 2.3.12.25
_CONNECTION_HISTORY: Final = Items(
    (
        Item(
            "Status",
            VT_UI4 | VT_VECTOR,
            _unnamed(
                (0x00000000, "connecting, no failure so far"),
                (0x00000001, "establishment packet received"),
                (0x00000002, "connected, ready to send"),
                (0x80000000, "unknown failure"),
                (0x80000001, "ping failed"),
                (0x80000002, "socket not created"),
                (0x80000003, "socket not bound"),
                (0x80000004, "socket not connected"),
                (0x80000005, "TCP disabled"),
                (0x80000006, "socket send failed"),
                (0x80000007, "sent before the connection was ready"),
                (0x80000008, "DNS failed"),
                (0x80000009, "HTTPS server certificate invalid"),
                (0x8000000A, "connection limit reached here"),
                (0x8000000B, "refused by the other side"),
                (0x8000000C, "no directory server, so no routing data"),
                (0x8000000D, "out of memory"),
            ),
        ),
        Item("Time at which the failure occurred", VT_I4 | VT_VECTOR, kind=Form.TIME),
        Item("Error indicator", VT_I4 | VT_VECTOR),
        Item("List of addresses", VT_LPWSTR | VT_VECTOR, Matches(Grammar.HISTORY_ADDRESS), nested=True),
    )
)

# fmt: off
PROPERTIES: Final[tuple[Property, ...]] = (
    # 2.3.1 Queue
    _p("2.3.1.1", 101, "PROPID_Q_INSTANCE", VT_CLSID, "t", "Identifier of the queue."),
    _p("2.3.1.2", 102, "PROPID_Q_TYPE", VT_CLSID, "t",
       "Type of service of the queue, chosen by its owner."),
    _p("2.3.1.3", 103, "PROPID_Q_PATHNAME", VT_LPWSTR, "vt",
       "Path name; cannot change after the queue is created.",
       constraint=Matches(Grammar.QUEUE_PATH_NAME), kind=Form.PATH_NAME),
    _p("2.3.1.4", 104, "PROPID_Q_JOURNAL", VT_UI1, "vt",
       "Whether removed messages are copied to the journal.",
       constraint=_named(MQ_JOURNAL_NONE=0, MQ_JOURNAL=1), kind=Form.BOOLEAN),
    _p("2.3.1.5", 105, "PROPID_Q_QUOTA", VT_UI4, "t", "Size limit of the queue.", kind=Form.KILOBYTES),
    _p("2.3.1.6", 106, "PROPID_Q_BASEPRIORITY", VT_I2, "vt", "Priority among public queues; 0 by default.",
       constraint=Range(-0x8000, 0x7FFF)),
    _p("2.3.1.7", 107, "PROPID_Q_JOURNAL_QUOTA", VT_UI4, "vt", "Size limit of the queue's journal.",
       constraint=_UI4, kind=Form.KILOBYTES),
    _p("2.3.1.8", 108, "PROPID_Q_LABEL", VT_LPWSTR, "vt",
       "Human-readable label.", constraint=MaxLength(124)),
    _p("2.3.1.9", 109, "PROPID_Q_CREATE_TIME", VT_I4, "t", "Time of creation of the queue.", kind=Form.TIME),
    _p("2.3.1.10", 110, "PROPID_Q_MODIFY_TIME", VT_I4, "t",
       "Time of the last change of the properties.", kind=Form.TIME),
    _p("2.3.1.11", 111, "PROPID_Q_AUTHENTICATE", VT_UI1, "vt", "Whether messages must be authenticated.",
       constraint=_named(MQ_AUTHENTICATE_NONE=0, MQ_AUTHENTICATE=1), kind=Form.BOOLEAN),
    _p("2.3.1.12", 112, "PROPID_Q_PRIV_LEVEL", VT_UI4, "vt",
       "Accepted messages: only unencrypted, both (the default), or only encrypted ones.",
       constraint=_named(MQ_PRIV_LEVEL_NONE=0, MQ_PRIV_LEVEL_OPTIONAL=1, MQ_PRIV_LEVEL_BODY=2)),
    _p("2.3.1.13", 113, "PROPID_Q_TRANSACTION", VT_UI1, "vt", "Whether the queue is transactional.",
       constraint=_named(MQ_TRANSACTIONAL_NONE=0, MQ_TRANSACTIONAL=1), kind=Form.BOOLEAN),
    _p("2.3.1.14", 114, "PROPID_Q_SCOPE", VT_UI1, "vt",
       "Where the queue is known: in its site or in the enterprise.", constraint=_SCOPE),
    _p("2.3.1.15", 115, "PROPID_Q_QMID", VT_CLSID, "t", "Queue manager to which the queue belongs."),
    _p("2.3.1.16", 116, "PROPID_Q_PARTITIONID", VT_CLSID, "t", "Directory partition of the queue object."),
    _p("2.3.1.17", 117, "PROPID_Q_SEQNUM", VT_BLOB, "t", "Sequence number of the queue object's last change.",
       constraint=_SEQUENCE_NUMBER, kind=Form.SEQUENCE_NUMBER),
    _p("2.3.1.18", 118, "PROPID_Q_HASHKEY", VT_UI4, "pt", "Has no meaning.", kind=Form.RESERVED),
    _p("2.3.1.19", 119, "PROPID_Q_LABEL_HASHKEY", VT_UI4, "pt", "Has no meaning.", kind=Form.RESERVED),
    _p("2.3.1.20", 121, "PROPID_Q_FULL_PATH", VT_LPWSTR, "", "Active Directory name of the queue object.",
       kind=Form.DISTINGUISHED_NAME, since=2),
    _p("2.3.1.21", 123, "PROPID_Q_NAME_SUFFIX", VT_LPWSTR, "",
       "Rest of a queue name that exceeds the 64 characters of a Common-Name.", since=2),
    _p("2.3.1.22", 124, "PROPID_Q_PATHNAME_DNS", VT_LPWSTR, "v",
       "Path name with the host's full domain name.",
       constraint=Matches(Grammar.DNS_QUEUE_PATH_NAME), kind=Form.PATH_NAME, since=2),
    _p("2.3.1.23", 125, "PROPID_Q_MULTICAST_ADDRESS", VT_LPWSTR, "vvt",
       "IP multicast group and port on which the queue listens.",
       constraint=AllOf((Matches(Grammar.MULTICAST_ADDRESS), Matches(Grammar.CLASS_D))),
       kind=Form.MULTICAST_ADDRESS, since=3),
    _p("2.3.1.24", 126, "PROPID_Q_ADS_PATH", VT_LPWSTR, "vt", "LDAP address of the public queue's object.",
       constraint=Matches(Grammar.LDAP_URL), kind=Form.LDAP_URL, since=3),
    _p("2.3.1.25", 1101, "PROPID_Q_SECURITY", VT_BLOB, "vt", "Security descriptor of the queue object.",
       kind=Form.SECURITY_DESCRIPTOR),
    _p("2.3.1.26", 1102, "PROPID_Q_OBJ_SECURITY", VT_BLOB, "", "Security descriptor of the queue object.",
       kind=Form.SECURITY_DESCRIPTOR, since=2),
    _p("2.3.1.27", 1103, "PROPID_Q_SECURITY_INFORMATION", VT_UI4, "",
       "Parts of the descriptor to get or set.",
       constraint=_SECURITY_INFORMATION, kind=Form.SECURITY_INFORMATION),
    # 2.3.2 Machine
    _p("2.3.2.1", 201, "PROPID_QM_SITE_ID", VT_CLSID, "t", "Site of the queue manager."),
    _p("2.3.2.2", 202, "PROPID_QM_MACHINE_ID", VT_CLSID, "t", "Identifier of the queue manager."),
    _p("2.3.2.3", 203, "PROPID_QM_PATHNAME", VT_LPWSTR, "t", "Computer of the queue manager.",
       kind=Form.COMPUTER_NAME),
    _p("2.3.2.4", 205, "PROPID_QM_ENCRYPTION_PK", VT_UI1 | VT_VECTOR, "",
       "Public encryption key, unless there is PROPID_QM_ENCRYPTION_PK_BASE.", kind=Form.PUBLIC_KEY),
    _p("2.3.2.5", 206, "PROPID_QM_ADDRESS", VT_BLOB, "vt",
       "Network addresses, as packed structures.", kind=Form.TA_ADDRESS),
    _p("2.3.2.6", 207, "PROPID_QM_CNS", VT_CLSID | VT_VECTOR, "t",
       "Connected networks of the queue manager."),
    _p("2.3.2.7", 208, "PROPID_QM_OUTFRS", VT_CLSID | VT_VECTOR, "t",
       "Routing servers for messages that the machine sends."),
    _p("2.3.2.8", 209, "PROPID_QM_INFRS", VT_CLSID | VT_VECTOR, "t",
       "Routing servers for messages that it receives."),
    _p("2.3.2.9", 210, "PROPID_QM_SERVICE", VT_UI4, "vt", "Role of the machine.",
       constraint=_unnamed(*_SERVICE, (0x10, "RAS server"))),
    _p("2.3.2.10", 214, "PROPID_QM_QUOTA", VT_UI4, "vt",
       "Disk limit of all queues in total.", constraint=_UI4),
    _p("2.3.2.11", 211, "PROPID_QM_PARTITIONID", VT_CLSID, "t", "Directory partition of the machine object."),
    _p("2.3.2.12", 212, "PROPID_QM_HASHKEY", VT_UI4, "pt", "Has no meaning.", kind=Form.RESERVED),
    _p("2.3.2.13", 213, "PROPID_QM_SEQNUM", VT_BLOB, "t",
       "Sequence number of the machine object's last change.",
       constraint=_SEQUENCE_NUMBER, kind=Form.SEQUENCE_NUMBER),
    _p("2.3.2.14", 215, "PROPID_QM_JOURNAL_QUOTA", VT_UI4, "vt", "Limit of all journals in total.",
       constraint=_UI4, kind=Form.KILOBYTES),
    _p("2.3.2.15", 216, "PROPID_QM_MACHINE_TYPE", VT_LPWSTR, "t",
       "Versions of the operating system and MSMQ as text, or empty."),
    _p("2.3.2.16", 217, "PROPID_QM_CREATE_TIME", VT_I4, "t",
       "Time of creation of the object.", kind=Form.TIME),
    _p("2.3.2.17", 218, "PROPID_QM_MODIFY_TIME", VT_I4, "t",
       "Time of the last change of the object.", kind=Form.TIME),
    _p("2.3.2.18", 219, "PROPID_QM_FOREIGN", VT_UI1, "vt",
       "Whether the object represents a foreign system.",
       constraint=_named(MSMQ_MACHINE=0, FOREIGN_MACHINE=1), kind=Form.BOOLEAN),
    _p("2.3.2.19", 220, "PROPID_QM_OS", VT_UI4, "vt", "Operating system of the queue manager.",
       constraint=_named(MSMQ_OS_NONE=0x000, MSMQ_OS_FOREIGN=0x100, MSMQ_OS_95=0x200, MSMQ_OS_NTW=0x300,
                         MSMQ_OS_NTS=0x400, MSMQ_OS_NTE=0x500)),
    _p("2.3.2.20", 221, "PROPID_QM_FULL_PATH", VT_LPWSTR, "v", "Name of the MSMQ Configuration object.",
       constraint=_DN, kind=Form.DISTINGUISHED_NAME, since=2),
    _p("2.3.2.21", 222, "PROPID_QM_SITE_IDS", VT_CLSID | VT_VECTOR, "", "Sites of the computer.", since=2),
    _p("2.3.2.22", 223, "PROPID_QM_OUTFRS_DN", VT_LPWSTR | VT_VECTOR, "v",
       "Routing servers for outgoing traffic.", constraint=_DN, kind=Form.DISTINGUISHED_NAME, since=2),
    _p("2.3.2.23", 224, "PROPID_QM_INFRS_DN", VT_LPWSTR | VT_VECTOR, "v",
       "Routing servers for incoming traffic.", constraint=_DN, kind=Form.DISTINGUISHED_NAME, since=2),
    _p("2.3.2.24", 227, "PROPID_QM_SERVICE_ROUTING", VT_UI1, "pv",
       "Whether it was installed as a routing server.", constraint=_NO_OR_YES, kind=Form.BOOLEAN, since=2),
    _p("2.3.2.25", 228, "PROPID_QM_SERVICE_DSSERVER", VT_UI1, "",
       "Whether it offers the MSMQ Directory Service.", kind=Form.BOOLEAN),
    _p("2.3.2.26", 229, "PROPID_QM_SERVICE_DEPCLIENTS", VT_UI1, "", "Whether it is a supporting server.",
       kind=Form.BOOLEAN),
    _p("2.3.2.27", 231, "PROPID_QM_ENCRYPTION_PK_BASE", VT_UI1 | VT_VECTOR, "", "Public encryption key.",
       kind=Form.PUBLIC_KEY, since=2),
    _p("2.3.2.28", 232, "PROPID_QM_ENCRYPTION_PK_ENHANCED", VT_UI1 | VT_VECTOR, "",
       "Public encryption key of the 128-bit provider.", kind=Form.PUBLIC_KEY, since=2),
    _p("2.3.2.29", 233, "PROPID_QM_PATHNAME_DNS", VT_LPWSTR, "", "The computer's full domain name.",
       kind=Form.FQDN, since=2),
    _p("2.3.2.30", 234, "PROPID_QM_OBJ_SECURITY", VT_BLOB, "",
       "Security descriptor of the Configuration object.", kind=Form.SECURITY_DESCRIPTOR, since=2),
    _p("2.3.2.31", 237, "PROPID_QM_SECURITY_INFORMATION", VT_UI4, "v",
       "Parts of the descriptor to get or set.",
       constraint=_SECURITY_INFORMATION, kind=Form.SECURITY_INFORMATION),
    _p("2.3.2.32", 238, "PROPID_QM_ENCRYPT_PKS", VT_BLOB, "", "Public keys for encryption.",
       kind=Form.MQDSPUBLICKEYS),  # the page says signing, as for the next one: a slip
    _p("2.3.2.33", 239, "PROPID_QM_SIGN_PKS", VT_BLOB, "",
       "Public keys for signing.", kind=Form.MQDSPUBLICKEYS),
    _p("2.3.2.34", 241, "PROPID_QM_OWNER_SID", VT_BLOB, "",
       "User who installed MSMQ; gets full control of the new object.", kind=Form.SID, since=2),
    _p("2.3.2.35", 242, "PROPID_QM_GROUP_IN_CLUSTER", VT_UI1, "v",
       "Whether it belongs to a group of a cluster.",
       constraint=_named(MSMQ_GROUP_NOT_IN_CLUSTER=0, MSMQ_GROUP_IN_CLUSTER=1), kind=Form.BOOLEAN, since=2),
    _p("2.3.2.36", 1201, "PROPID_QM_SECURITY", VT_BLOB, "vt", "Security descriptor of the machine object.",
       kind=Form.SECURITY_DESCRIPTOR),
    _p("2.3.2.37", 1202, "PROPID_QM_SIGN_PK", VT_BLOB, "vt",
       "Public keys for signing, given at creation only.", kind=Form.MQDSPUBLICKEYS),
    _p("2.3.2.38", 1203, "PROPID_QM_ENCRYPT_PK", VT_BLOB, "vt",
       "Public keys for encryption, given at creation only.", kind=Form.MQDSPUBLICKEYS),
    _p("2.3.2.39", 1205, "PROPID_QM_UPGRADE_DACL", VT_BLOB, "p",
       "Asks the enterprise controller to renew the access list of the caller; the value is empty.",
       kind=Form.IGNORED),
    # 2.3.3 Site
    _p("2.3.3.1", 301, "PROPID_S_PATHNAME", VT_LPWSTR, "t", "Name of the site."),
    _p("2.3.3.2", 302, "PROPID_S_SITEID", VT_CLSID, "t", "Identifier of the site."),
    _p("2.3.3.3", 303, "PROPID_S_GATES", VT_CLSID | VT_VECTOR, "t",
       "Queue managers that are gates of the site."),
    _p("2.3.3.4", 304, "PROPID_S_PSC", VT_LPWSTR, "t", "Computer of the primary site controller.",
       kind=Form.COMPUTER_NAME),
    _p("2.3.3.5", 305, "PROPID_S_INTERVAL1", VT_UI2, "t", "Replication time inside the site; 2 by default.",
       kind=Form.SECONDS),
    _p("2.3.3.6", 306, "PROPID_S_INTERVAL2", VT_UI2, "t", "Replication time between sites; 10 by default.",
       kind=Form.SECONDS),
    _p("2.3.3.7", 307, "PROPID_S_PARTITIONID", VT_CLSID, "t", "Directory partition of the site object."),
    _p("2.3.3.8", 308, "PROPID_S_SEQNUM", VT_BLOB, "t", "Sequence number of the site object's last change.",
       constraint=_SEQUENCE_NUMBER, kind=Form.SEQUENCE_NUMBER),
    _p("2.3.3.9", 309, "PROPID_S_FULL_NAME", VT_LPWSTR, "", "Active Directory name of the site.",
       kind=Form.DISTINGUISHED_NAME, since=2),
    _p("2.3.3.10", 310, "PROPID_S_NT4_STUB", VT_UI2, "v", "Whether the site comes from an MQIS database.",
       constraint=_NO_OR_YES, kind=Form.BOOLEAN, since=2),
    _p("2.3.3.11", 311, "PROPID_S_FOREIGN", VT_UI1, "v",
       "Whether the site represents another messaging system.",
       constraint=_NO_OR_YES, kind=Form.BOOLEAN, since=2),
    _p("2.3.3.12", 312, "PROPID_S_DONOTHING", VT_UI1, "", "Receives data that replication no longer needs.",
       kind=Form.IGNORED, since=2),
    _p("2.3.3.13", 1301, "PROPID_S_SECURITY", VT_BLOB, "vt", "Security descriptor of the site object.",
       kind=Form.SECURITY_DESCRIPTOR),
    _p("2.3.3.14", 1302, "PROPID_S_PSC_SIGNPK", VT_BLOB, "vt", "Signing key of the primary site controller.",
       kind=Form.MQDSPUBLICKEYS),
    _p("2.3.3.15", 1303, "PROPID_S_SECURITY_INFORMATION", VT_UI4, "",
       "Parts of the descriptor to get or set.",
       constraint=_SECURITY_INFORMATION, kind=Form.SECURITY_INFORMATION, since=3),
    # 2.3.4 Connected network
    _p("2.3.4.1", 501, "PROPID_CN_PROTOCOLID", VT_UI1, "vt", "Network protocol.",
       constraint=_named(IP_ADDRESS_TYPE=1, IPX_ADDRESS_TYPE=3, FOREIGN_ADDRESS_TYPE=5)),
    _p("2.3.4.2", 502, "PROPID_CN_NAME", VT_LPWSTR, "t", "Name of the network, chosen by its owner."),
    _p("2.3.4.3", 503, "PROPID_CN_GUID", VT_CLSID, "t", "Identifier of the network."),
    _p("2.3.4.4", 504, "PROPID_CN_PARTITIONID", VT_CLSID, "t", "Directory partition of the network object."),
    _p("2.3.4.5", 505, "PROPID_CN_SEQNUM", VT_BLOB, "t",
       "Sequence number of the network object's last change.",
       constraint=_SEQUENCE_NUMBER, kind=Form.SEQUENCE_NUMBER),
    _p("2.3.4.6", 1501, "PROPID_CN_SECURITY", VT_BLOB, "vt", "Security descriptor of the network object.",
       kind=Form.SECURITY_DESCRIPTOR),
    # 2.3.5 Enterprise
    _p("2.3.5.1", 601, "PROPID_E_NAME", VT_LPWSTR, "t", "Name of the enterprise, chosen by its owner."),
    _p("2.3.5.2", 602, "PROPID_E_NAMESTYLE", VT_UI1, "vt",
       "Whether security is weakened; unused by MSMQ 1.0.",
       constraint=_unnamed((0, "not weakened"), (1, "weakened"), (2, "default"))),
    _p("2.3.5.3", 603, "PROPID_E_CSP_NAME", VT_LPWSTR, "t", "Cryptographic provider."),
    _p("2.3.5.4", 604, "PROPID_E_PECNAME", VT_LPWSTR, "t", "Computer of the primary enterprise controller.",
       kind=Form.COMPUTER_NAME),
    _p("2.3.5.5", 605, "PROPID_E_S_INTERVAL1", VT_UI2, "pt", "Has no meaning.", kind=Form.RESERVED),
    _p("2.3.5.6", 606, "PROPID_E_S_INTERVAL2", VT_UI2, "pt", "Has no meaning.", kind=Form.RESERVED),
    _p("2.3.5.7", 607, "PROPID_E_PARTITIONID", VT_CLSID, "t",
       "Directory partition of the enterprise object."),
    _p("2.3.5.8", 608, "PROPID_E_SEQNUM", VT_BLOB, "t",
       "Sequence number of the enterprise object's last change.",
       constraint=_SEQUENCE_NUMBER, kind=Form.SEQUENCE_NUMBER),
    _p("2.3.5.9", 609, "PROPID_E_ID", VT_CLSID, "t", "Identifier of the enterprise object."),
    _p("2.3.5.10", 610, "PROPID_E_CRL", VT_BLOB, "pt", "Has no meaning.", kind=Form.RESERVED),
    _p("2.3.5.11", 611, "PROPID_E_CSP_TYPE", VT_UI4, "pt", "Has no meaning.", kind=Form.RESERVED),
    _p("2.3.5.12", 612, "PROPID_E_ENCRYPT_ALG", VT_UI4, "pt", "Has no meaning.", kind=Form.RESERVED),
    _p("2.3.5.13", 613, "PROPID_E_SIGN_ALG", VT_UI4, "pt", "Has no meaning.", kind=Form.RESERVED),
    _p("2.3.5.14", 614, "PROPID_E_HASH_ALG", VT_UI4, "pt", "Has no meaning.", kind=Form.RESERVED),
    _p("2.3.5.15", 616, "PROPID_E_LONG_LIVE", VT_UI4, "t", "Default time for a message to reach its queue.",
       kind=Form.SECONDS),
    _p("2.3.5.16", 617, "PROPID_E_VERSION", VT_UI2, "t", "Version of the directory's information."),
    _p("2.3.5.17", 1601, "PROPID_E_SECURITY", VT_BLOB, "vt", "Security descriptor of the enterprise object.",
       kind=Form.SECURITY_DESCRIPTOR),
    _p("2.3.5.18", 615, "PROPID_E_CIPHER_MODE", VT_UI4, "pt", "Has no meaning.", kind=Form.RESERVED),
    # 2.3.6 User
    _p("2.3.6.1", 701, "PROPID_U_SID", VT_BLOB, "vt", "Security identifier of the user.", kind=Form.SID),
    _p("2.3.6.2", 703, "PROPID_U_PARTITIONID", VT_CLSID, "t", "Directory partition of the user object."),
    _p("2.3.6.3", 704, "PROPID_U_SEQNUM", VT_BLOB, "t", "Sequence number of the user object's last change.",
       constraint=_SEQUENCE_NUMBER, kind=Form.SEQUENCE_NUMBER),
    _p("2.3.6.4", 702, "PROPID_U_SIGN_CERT", VT_BLOB, "vt",
       "Certificates of the user.", kind=Form.MQUSERSIGNCERTS),
    _p("2.3.6.5", 705, "PROPID_U_DIGEST", VT_CLSID | VT_VECTOR, "vt", "Digests of the certificates.",
       constraint=_MD5, kind=Form.DIGEST),
    _p("2.3.6.6", 706, "PROPID_U_ID", VT_CLSID, "t", "Identifier of the user object."),
    # 2.3.7 Routing link
    _p("2.3.7.1", 801, "PROPID_L_NEIGHBOR1", VT_CLSID, "t", "Site at one end."),
    _p("2.3.7.2", 802, "PROPID_L_NEIGHBOR2", VT_CLSID, "t", "Site at the other end."),
    _p("2.3.7.3", 803, "PROPID_L_COST", VT_UI4, "vt", "Relative cost of the link; 1 by default.",
       constraint=_LINK_COST),
    _p("2.3.7.4", 804, "PROPID_L_PARTITIONID", VT_CLSID, "t", "Directory partition of the link object."),
    _p("2.3.7.5", 805, "PROPID_L_SEQNUM", VT_BLOB, "t", "Sequence number of the link object's last change.",
       constraint=_SEQUENCE_NUMBER, kind=Form.SEQUENCE_NUMBER),
    _p("2.3.7.6", 806, "PROPID_L_ID", VT_CLSID, "t", "Identifier of the link object."),
    _p("2.3.7.7", 807, "PROPID_L_GATES_DN", VT_LPWSTR | VT_VECTOR, "v",
       "Site gates of the link.", constraint=_DN, kind=Form.DISTINGUISHED_NAME, since=3),
    _p("2.3.7.8", 808, "PROPID_L_NEIGHBOR1_DN", VT_LPWSTR, "v", "Site at one end.",
       constraint=_DN, kind=Form.DISTINGUISHED_NAME, since=2),
    _p("2.3.7.9", 809, "PROPID_L_NEIGHBOR2_DN", VT_LPWSTR, "v", "Site at the other end.",
       constraint=_DN, kind=Form.DISTINGUISHED_NAME, since=2),
    _p("2.3.7.10", 810, "PROPID_L_DESCRIPTION", VT_LPWSTR, "", "Description of the link.", since=2),
    _p("2.3.7.11", 811, "PROPID_L_FULL_PATH", VT_LPWSTR, "v", "Name of the link object in Active Directory.",
       constraint=_DN, kind=Form.DISTINGUISHED_NAME, since=2),
    _p("2.3.7.12", 812, "PROPID_L_ACTUAL_COST", VT_UI4, "v", "Cost of the link before translation.",
       constraint=_LINK_COST, since=2),
    _p("2.3.7.13", 813, "PROPID_L_GATES", VT_CLSID | VT_VECTOR, "",
       "Site gates of the link.", since=2),
    # 2.3.8 Settings
    _p("2.3.8.1", 5101, "PROPID_SET_NAME", VT_LPWSTR, "v", "Common-Name of the object; always the same.",
       constraint=OneOf((("MSMQ Settings", "the only name"),), named=False)),
    _p("2.3.8.2", 5102, "PROPID_SET_SERVICE", VT_UI4, "v",
       "Role of the server.", constraint=_unnamed(*_SERVICE)),
    _p("2.3.8.3", 5103, "PROPID_SET_QM_ID", VT_CLSID, "", "MSMQ Configuration object of the computer."),
    _p("2.3.8.4", 5105, "PROPID_SET_FULL_PATH", VT_LPWSTR, "v", "Name of the object in Active Directory.",
       constraint=_DN, kind=Form.DISTINGUISHED_NAME),
    _p("2.3.8.5", 5106, "PROPID_SET_NT4", VT_UI1, "v", "Whether the server runs MSMQ 1.0.",
       constraint=_NO_OR_YES, kind=Form.BOOLEAN),
    _p("2.3.8.6", 5107, "PROPID_SET_PARTITIONID", VT_CLSID, "",
       "Directory partition of the settings object."),
    _p("2.3.8.7", 5108, "PROPID_SET_SITENAME", VT_LPWSTR, "", "Name of the site."),
    _p("2.3.8.8", 5109, "PROPID_SET_SERVICE_ROUTING", VT_UI1, "v", "Whether the server routes.",
       constraint=_NO_OR_YES, kind=Form.BOOLEAN),
    _p("2.3.8.9", 5110, "PROPID_SET_SERVICE_DSSERVER", VT_UI1, "v",
       "Whether clients of MSMQ 2.0 reach Active Directory through the server.",
       constraint=_NO_OR_YES, kind=Form.BOOLEAN),
    _p("2.3.8.10", 5111, "PROPID_SET_SERVICE_DEPCLIENTS", VT_UI1, "v",
       "Whether it can be a supporting server.", constraint=_NO_OR_YES, kind=Form.BOOLEAN),
    _p("2.3.8.11", 5112, "PROPID_SET_OLDSERVICE", VT_UI4, "v", "Role of the server.",
       constraint=_unnamed(*_SERVICE)),
    # 2.3.9 MQUser
    _p("2.3.9.1", 5401, "PROPID_MQU_SID", VT_BLOB, "",
       "Security identifier of the migrated user.", kind=Form.SID),
    _p("2.3.9.2", 5402, "PROPID_MQU_SIGN_CERT", VT_BLOB, "",
       "Certificate of the user.", kind=Form.CERTIFICATE),
    _p("2.3.9.3", 5405, "PROPID_MQU_DIGEST", VT_CLSID | VT_VECTOR, "v", "Digests of the certificates.",
       constraint=_MD5, kind=Form.DIGEST),
    _p("2.3.9.4", 5406, "PROPID_MQU_ID", VT_CLSID, "", "Identifier of the MQUser object."),
    _p("2.3.9.5", 5407, "PROPID_MQU_SECURITY", VT_BLOB, "", "Security descriptor of the MQUser object.",
       kind=Form.SECURITY_DESCRIPTOR),
    # 2.3.10 Computer
    _p("2.3.10.1", 5201, "PROPID_COM_FULL_PATH", VT_LPWSTR, "v", "Name of the computer in Active Directory.",
       constraint=_DN, kind=Form.DISTINGUISHED_NAME),
    _p("2.3.10.2", 5202, "PROPID_COM_SAM_ACCOUNT", VT_LPWSTR, "", "Account of the computer.",
       constraint=Matches(Grammar.SAM_ACCOUNT)),
    _p("2.3.10.3", 5204, "PROPID_COM_ACCOUNT_CONTROL", VT_UI4, "v",
       "Account control flags.", constraint=_UF_FLAG),
    _p("2.3.10.4", 5205, "PROPID_COM_DNS_HOSTNAME", VT_LPWSTR, "v", "DNS host name of the computer.",
       constraint=Matches(Grammar.FQDN), kind=Form.FQDN),
    _p("2.3.10.5", 5206, "PROPID_COM_SID", VT_BLOB, "",
       "Security identifier of the computer.", kind=Form.SID),
    _p("2.3.10.6", 5207, "PROPID_COM_SIGN_CERT", VT_BLOB, "",
       "Certificate of the computer.", kind=Form.CERTIFICATE),
    _p("2.3.10.7", 5208, "PROPID_COM_DIGEST", VT_CLSID | VT_VECTOR, "v", "Digests of the certificates.",
       constraint=_MD5, kind=Form.DIGEST),
    _p("2.3.10.8", 5209, "PROPID_COM_ID", VT_CLSID, "", "Identifier of the computer object."),
    # 2.3.11 Management machine
    _p("2.3.11.1", 1, "PROPID_MGMT_MSMQ_ACTIVEQUEUES", VT_LPWSTR | VT_VECTOR, "v",
       "Active queues of the computer.",
       constraint=Matches(Grammar.QUEUE_FORMAT_NAME), kind=Form.FORMAT_NAME),
    _p("2.3.11.2", 2, "PROPID_MGMT_MSMQ_PRIVATEQ", VT_LPWSTR | VT_VECTOR, "",
       "Private queues of the computer.", kind=Form.PATH_NAME),
    _p("2.3.11.3", 3, "PROPID_MGMT_MSMQ_DSSERVER", VT_LPWSTR, "",
       "Directory server in use, after two backslashes.",
       constraint=Matches(Grammar.DS_SERVER), kind=Form.COMPUTER_NAME),
    _p("2.3.11.4", 4, "PROPID_MGMT_MSMQ_CONNECTED", VT_LPWSTR, "v",
       "Whether the queue manager is on the network.",
       constraint=_named(MSMQ_CONNECTED="CONNECTED", MSMQ_DISCONNECTED="DISCONNECTED")),
    _p("2.3.11.5", 5, "PROPID_MGMT_MSMQ_TYPE", VT_LPWSTR, "", "Versions and builds of system and MSMQ."),
    _p("2.3.11.6", 6, "PROPID_MGMT_MSMQ_BYTES_IN_ALL_QUEUES", VT_I8, "",
       "Bytes of the messages in all queues.", since=3),
    # 2.3.12 Management queue
    _p("2.3.12.1", 1, "PROPID_MGMT_QUEUE_PATHNAME", VT_LPWSTR, "", "Path name of the queue.",
       constraint=Matches(Grammar.QUEUE_PATH_NAME), kind=Form.PATH_NAME),
    _p("2.3.12.2", 2, "PROPID_MGMT_QUEUE_FORMATNAME", VT_LPWSTR, "", "Format name of the queue.",
       constraint=Matches(Grammar.FORMAT_NAME), kind=Form.FORMAT_NAME),
    _p("2.3.12.3", 3, "PROPID_MGMT_QUEUE_TYPE", VT_LPWSTR, "v", "Type of the queue.",
       constraint=_named(MGMT_QUEUE_TYPE_PUBLIC="PUBLIC", MGMT_QUEUE_TYPE_PRIVATE="PRIVATE",
                         MGMT_QUEUE_TYPE_MACHINE="MACHINE", MGMT_QUEUE_TYPE_CONNECTOR="CONNECTOR",
                         MGMT_QUEUE_TYPE_MULTICAST="MULTICAST")),
    _p("2.3.12.4", 4, "PROPID_MGMT_QUEUE_LOCATION", VT_LPWSTR, "v", "Whether the queue is on this computer.",
       constraint=_named(MGMT_QUEUE_LOCAL_LOCATION="LOCAL", MGMT_QUEUE_REMOTE_LOCATION="REMOTE")),
    _p("2.3.12.5", 5, "PROPID_MGMT_QUEUE_XACT", VT_LPWSTR, "v", "Whether the queue is transactional.",
       constraint=_named(MGMT_QUEUE_UNKNOWN_TYPE="UNKNOWN", MGMT_QUEUE_TRANSACTIONAL_TYPE="YES",
                         MGMT_QUEUE_NOT_TRANSACTIONAL_TYPE="NO")),
    _p("2.3.12.6", 6, "PROPID_MGMT_QUEUE_FOREIGN", VT_LPWSTR, "v", "Whether the queue is foreign.",
       constraint=_named(MGMT_QUEUE_UNKNOWN_TYPE="UNKNOWN", MGMT_QUEUE_FOREIGN_TYPE="YES",
                         MGMT_QUEUE_NOT_FOREIGN_TYPE="NO")),
    _p("2.3.12.7", 7, "PROPID_MGMT_QUEUE_MESSAGE_COUNT", VT_UI4, "", "Messages in the queue."),
    _p("2.3.12.8", 8, "PROPID_MGMT_QUEUE_BYTES_IN_QUEUE", VT_UI4, "", "Bytes of the messages in the queue.",
       since=3),
    _p("2.3.12.9", 9, "PROPID_MGMT_QUEUE_JOURNAL_MESSAGE_COUNT", VT_UI4, "", "Messages in the journal."),
    _p("2.3.12.10", 10, "PROPID_MGMT_QUEUE_BYTES_IN_JOURNAL", VT_UI4, "",
       "Bytes of the messages in the journal.", since=3),
    _p("2.3.12.11", 11, "PROPID_MGMT_QUEUE_STATE", VT_LPWSTR, "v",
       "State of the connection to a remote queue.",
       constraint=_named(MGMT_QUEUE_STATE_LOCAL="LOCAL CONNECTION", MGMT_QUEUE_STATE_NONACTIVE="INACTIVE",
                         MGMT_QUEUE_STATE_WAITING="WAITING", MGMT_QUEUE_STATE_NEED_VALIDATE="NEED VALIDATION",
                         MGMT_QUEUE_STATE_ONHOLD="ONHOLD", MGMT_QUEUE_STATE_CONNECTED="CONNECTED",
                         MGMT_QUEUE_STATE_DISCONNECTING="DISCONNECTING",
                         MGMT_QUEUE_STATE_DISCONNECTED="DISCONNECTED")),
    _p("2.3.12.12", 12, "PROPID_MGMT_QUEUE_NEXTHOPS", VT_LPWSTR | VT_VECTOR, "",
       "Possible addresses of the next hop.", constraint=Matches(Grammar.NEXT_HOP)),
    _p("2.3.12.13", 13, "PROPID_MGMT_QUEUE_EOD_LAST_ACK", VT_BLOB, "",
       "Last message with an order acknowledgment.", kind=Form.SEQUENCE_INFO),
    _p("2.3.12.14", 14, "PROPID_MGMT_QUEUE_EOD_LAST_ACK_TIME", VT_I4, "",
       "Time of the last order acknowledgment.", kind=Form.TIME),
    _p("2.3.12.15", 15, "PROPID_MGMT_QUEUE_EOD_LAST_ACK_COUNT", VT_UI4, "",
       "Number of times that the last order acknowledgment was received."),
    _p("2.3.12.16", 16, "PROPID_MGMT_QUEUE_EOD_FIRST_NON_ACK", VT_BLOB, "",
       "First message without an order acknowledgment.", kind=Form.SEQUENCE_INFO),
    _p("2.3.12.17", 17, "PROPID_MGMT_QUEUE_EOD_LAST_NON_ACK", VT_BLOB, "",
       "Last message without an order acknowledgment.", kind=Form.SEQUENCE_INFO),
    _p("2.3.12.18", 18, "PROPID_MGMT_QUEUE_EOD_NEXT_SEQ", VT_BLOB, "", "Message to be sent next.",
       kind=Form.SEQUENCE_INFO),
    _p("2.3.12.19", 19, "PROPID_MGMT_QUEUE_EOD_NO_READ_COUNT", VT_UI4, "",
       "Messages acknowledged in order, but not yet as received."),
    _p("2.3.12.20", 20, "PROPID_MGMT_QUEUE_EOD_NO_ACK_COUNT", VT_UI4, "",
       "Messages without an order acknowledgment."),
    _p("2.3.12.21", 21, "PROPID_MGMT_QUEUE_EOD_RESEND_TIME", VT_I4, "", "Time of the next retransmission.",
       kind=Form.TIME),
    _p("2.3.12.22", 22, "PROPID_MGMT_QUEUE_EOD_RESEND_INTERVAL", VT_UI4, "",
       "Interval between retransmissions while an order acknowledgment is missing.", kind=Form.SECONDS),
    _p("2.3.12.23", 23, "PROPID_MGMT_QUEUE_EOD_RESEND_COUNT", VT_UI4, "",
       "Number of times that the last message was sent."),
    _p("2.3.12.24", 24, "PROPID_MGMT_QUEUE_EOD_SOURCE_INFO", VT_VARIANT | VT_VECTOR, "",
       "Transactional messages that the queue received, by sender.", constraint=_SOURCE_INFO),
    _p("2.3.12.25", 25, "PROPID_MGMT_QUEUE_CONNECTION_HISTORY", VT_VARIANT | VT_VECTOR, "vv",
       "Connection attempts and their results.", constraint=_CONNECTION_HISTORY),
    _p("2.3.12.26", 26, "PROPID_MGMT_QUEUE_SUBQUEUE_COUNT", VT_UI4, "", "Subqueues of the queue."),
    _p("2.3.12.27", 27, "PROPID_MGMT_QUEUE_SUBQUEUE_NAMES", VT_LPWSTR | VT_VECTOR, "",
       "Names of the subqueues.", constraint=Matches(Grammar.SUBQUEUE)),
    # 2.3.13 Deletion notification
    _p("2.3.13.1", 1401, "PROPID_D_SEQNUM", VT_BLOB, "t", "Sequence number of the deletion.",
       constraint=_SEQUENCE_NUMBER, kind=Form.SEQUENCE_NUMBER),
    _p("2.3.13.2", 1402, "PROPID_D_PARTITIONID", VT_CLSID, "t", "Directory partition of the deleted object."),
    _p("2.3.13.3", 1403, "PROPID_D_SCOPE", VT_UI1, "vt",
       "Where the deletion is announced: in the site or in the enterprise.", constraint=_SCOPE),
    _p("2.3.13.4", 1404, "PROPID_D_OBJTYPE", VT_UI1, "vt", "Type of the deleted object.",
       constraint=_named(MQDS_QUEUE=1, MQDS_MACHINE=2, MQDS_SITE=3, MQDS_DELETEDOBJECT=4, MQDS_CN=5,
                         MQDS_ENTERPRISE=6, MQDS_USER=7, MQDS_ROUTINGLINK=8), kind=Form.OBJECT_TYPE),
    _p("2.3.13.5", 1405, "PROPID_D_IDENTIFIER", VT_CLSID, "t", "Identifier of the deleted object."),
)
