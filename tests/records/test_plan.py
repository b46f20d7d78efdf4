"""What follows from a layout: fields that depend on others, and numbers that tell a header.

The functions are called without their caches, so that each test computes what it looks at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from msmq_wire import mqmq
from msmq_wire.documents.layouts import structures
from msmq_wire.records import evidence, plan

if TYPE_CHECKING:
    from collections.abc import Callable


def computed(function: Callable[[Any], Any], name: str) -> Any:
    uncached: Callable[[Any], Any] = vars(function)["__wrapped__"]
    return uncached(structures()[name])


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("DirectoryChange", {"NumberOfProperties", "UseGuid"}),
        ("MQFFormatNameElement", {"FormatType"}),
        ("MQFAddressHeader", {"ElementCount", "HeaderSize"}),
        ("ChangeRequestHeader", {"PSCNameOffset"}),
        ("UserHeader", {"Flags.DQ", "Flags.AQ", "Flags.RQ"}),
        ("TxSequenceID", set()),
    ],
)
def test_fields_that_depend_on_others(name: str, fields: set[str]) -> None:
    assert computed(plan.derived, name) == fields


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        ("UserHeader", {"Flags": 0b111_111_111 << 10 | 1 << 22}),  # DQ, AQ, RQ; CQ
        ("TransactionHeader", {"Flags": 1}),
        ("DebugHeader", {"Flags": 3}),
        ("MQFFormatNameElement", {}),
    ],
)
def test_groups_that_depend_on_others(name: str, groups: dict[str, int]) -> None:
    assert computed(plan.plan_of, name).derived_groups == groups


@pytest.mark.parametrize("name", ["DirectoryChange", "NotificationUpdate"])
def test_numbers_that_decide_between_two_fields(name: str) -> None:
    assert computed(plan.plan_of, name).alternatives == {"UseGuid": {0: "PathName", 1: "GuidIdentifier"}}


def test_numbers_that_flags_announce_decide_nothing() -> None:
    for name in ("UserHeader", "TransactionHeader", "DebugHeader", "UserMessage", "MessagePacket"):
        assert computed(plan.plan_of, name).alternatives == {}


def test_numbers_that_tell_a_list() -> None:
    assert computed(evidence.numbers_of, "MultiQueueFormatHeader") == {
        "Destination": {"HeaderID": 100},
        "Administration": {"HeaderID": 200},
        "Response": {"HeaderID": 300},
    }


@pytest.mark.parametrize(
    "name", ["UserMessage", "SessionAck", "EstablishConnection", "OrderAck", "UserHeader"]
)
def test_groups_of_a_flags_word_tell_no_list(name: str) -> None:
    assert computed(evidence.numbers_of, name) == {}


@pytest.mark.parametrize(
    ("name", "field", "number"),
    [
        ("UserMessage", "SecurityHeader", 1),
        ("DirectoryChange", "GuidIdentifier", 1),
        ("DirectoryChange", "PathName", 0),
    ],
)
def test_numbers_that_announce_a_field(name: str, field: str, number: int) -> None:
    """[MS-MQMQ] 2.2.20.1 has a bit for a header, [MC-MQDSRP] 2.2.6 a number for each of two forms."""
    present = structures()[name].by_name[field].present
    assert present is not None
    assert present.means == number


def test_what_is_doubtful_begins_at_the_first_piece() -> None:
    found = evidence.Evidence()
    found.doubt(2)
    found.confirm(4)
    found.doubt(4)
    found.doubt(5)
    assert found.doubts == [(0, 2), (4, 5)]


def test_what_follows_a_certain_field_is_at_a_fixed_distance_from_it() -> None:
    found = evidence.Evidence()
    assert found.fixed
    found.doubt(2)
    assert not found.fixed
    found.confirm(3)
    assert found.fixed


@pytest.mark.parametrize(
    ("values", "known"),
    [
        ({"PrivacyLevel": 1, "HashAlgorithm": 0x8003, "EncryptionAlgorithm": 0x6602}, True),
        ({"PrivacyLevel": 1, "HashAlgorithm": 0x8003, "EncryptionAlgorithm": 7}, False),
        ({"PrivacyLevel": 1, "HashAlgorithm": 0x8003}, False),
    ],
)
def test_values_that_confirm_a_header(values: dict[str, int], known: bool) -> None:
    """All of its enumerated fields of 32 bits have documented values."""
    assert evidence.is_known(structures()["MessagePropertiesHeader"], None, "", values) is known


@pytest.mark.parametrize(
    ("values", "known"),
    [
        ({"Flags": mqmq.UserHeaderFlags(MP=1)}, True),
        ({"Flags": mqmq.UserHeaderFlags(MP=0)}, False),
        ({"Flags": mqmq.UserHeaderFlags(MP=1, X2=1)}, False),
        ({"MessageID": 1}, False),
    ],
)
def test_flags_that_confirm_a_header(values: dict[str, Any], known: bool) -> None:
    """The groups that are constant have their values; without the word nothing is known."""
    assert evidence.is_known(structures()["UserHeader"], None, "", values) is known


def test_words_that_stay_open_until_the_packet_is_built() -> None:
    """A header alone cannot say whether others follow, nor an InternalHeader of which type."""
    assert {"BaseHeader.Flags", "UserHeader.Flags", "InternalHeader.Flags"} <= plan.open_words()
    assert "MessagePropertiesHeader.Flags" not in plan.open_words()


def test_numbers_that_only_what_is_around_them_can_compute() -> None:
    """The size of a packet, the type of a list, the operation and the number of changes of a message."""
    assert plan.awaited() == {
        "BaseHeader.PacketSize",
        "ExtensionHeader.RemainingHeadersSize",
        "MQFAddressHeader.HeaderID",
        "BaseReplicationHeader.Operation",
        "SyncReplyHeader.Count",
    }
    words = {path for path in plan.open_words() if path.endswith(".Flags")}
    assert words == {
        f"{name}Header.Flags"
        for name in ("Base", "User", "Transaction", "Security", "Debug", "Internal", "Extension")
    }


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        (
            "SecurityHeader",
            {
                "SenderIdSize": ("SecurityData", "SecurityID"),
                "EncryptionKeySize": ("SecurityData", "EncryptionKey"),
                "SignatureSize": ("SecurityData", "Signature"),
                "SenderCertSize": ("SecurityData", "SenderCert"),
                "ProviderInfoSize": ("SecurityData", "ProviderInfo"),
            },
        ),
        (
            "MessagePropertiesHeader",
            {
                "LabelLength": ("", "Label"),
                "ExtensionSize": ("", "ExtensionData"),
                "MessageSize": ("", "MessageBody"),
            },
        ),
        ("DirectoryChange", {"NumberOfProperties": ("", "PropertyID")}),
        ("ChangeNotificationMessage", {"NumberOfUpdateNotifications": ("Data", "Updates")}),
        ("SyncReplyMessage", {}),
        ("UserMessage", {}),
    ],
)
def test_arrays_that_numbers_count(name: str, counts: dict[str, tuple[str, str]]) -> None:
    found = computed(plan.plan_of, name)
    assert {number: (array.part, array.field.name) for number, array in found.counts.items()} == counts
    expected = (("SyncReplyHeader", "Count", "DirectoryChanges"),) if name == "SyncReplyMessage" else ()
    assert found.part_counts == expected


@pytest.mark.parametrize(
    ("name", "groups", "numbers"),
    [
        # [MS-MQMQ] 2.2.19.1: DH, SH; 2.2.19.2: SH, TH, MQ, AH and SOAP; [MS-MQRR] 2.2.5.2: SQ, DL, EA
        (
            "UserMessage",
            {"BaseHeader": 1 << 4 | 1 << 5, "UserHeader": 0x12980000, "ExtensionHeader": 0b10011},
            {"BaseHeader": {"PacketSize"}, "ExtensionHeader": {"RemainingHeadersSize"}},
        ),
        ("MessagePacket", {"ExtensionHeader": 0b10011}, {"ExtensionHeader": {"RemainingHeadersSize"}}),
        ("SyncReplyMessage", {}, {"SyncReplyHeader": {"Count"}}),
        ("SessionAck", {}, {"BaseHeader": {"PacketSize"}}),
    ],
)
def test_what_a_packet_makes_of_its_headers(
    name: str, groups: dict[str, int], numbers: dict[str, set[str]]
) -> None:
    found = computed(plan.plan_of, name)
    assert {part: {"Flags": found.part_groups[part]["Flags"] & mask} for part, mask in groups.items()} == {
        part: {"Flags": mask} for part, mask in groups.items()
    }
    assert found.part_groups.keys() == groups.keys()
    assert found.part_numbers == numbers


@pytest.mark.parametrize(
    ("structure", "field", "value"),
    [
        ("MessagePropertiesHeader", "AllocationBodySize", ...),  # computed from another field
        ("SenderCertPublicKey", "LengthInBits", ...),
        ("MessagePropertiesHeader", "LabelLength", ...),  # the count of an array
        ("BaseHeader", "PacketSize", ...),  # known when an enclosing record is built
        ("BaseHeader", "VersionNumber", 0x10),
        ("UserHeader", "SentTime", 0),
        ("UserMessage", "DebugHeader", None),
    ],
)
def test_default_of_an_omitted_field(structure: str, field: str, value: Any) -> None:
    layout = structures()[structure]
    found = plan.omitted(layout, layout.by_name[field])
    assert found is value if value is ... or value is None else found == value
