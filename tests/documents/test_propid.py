"""The PROPID table against numbers typed in from the pages, and the rules that use it."""

from __future__ import annotations

import pickle
import re
from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_rows import for_each
from support_specs import load_requirements
from support_values import VARTYPES

from msmq_wire import propid
from msmq_wire.documents.propid import (
    PROPERTIES,
    PROPID,
    VARTYPE,
    Bits,
    Form,
    Grammar,
    MaxLength,
    ObjectClass,
    OneOf,
    Property,
    Range,
    Size,
    breach,
    by_name,
    by_number,
    changed_object_class,
    check,
    object_class_of,
    object_type,
    type_fault,
    value_name,
    vartype_name,
)
from msmq_wire.values.guid import GUID, NULL_GUID

# Number of headings under each section of [MS-MQMQ] 2.3.
HEADINGS = {
    "2.3.1": 27,
    "2.3.2": 39,
    "2.3.3": 15,
    "2.3.4": 6,
    "2.3.5": 18,
    "2.3.6": 6,
    "2.3.7": 13,
    "2.3.8": 11,
    "2.3.9": 5,
    "2.3.10": 8,
    "2.3.11": 6,
    "2.3.12": 27,
    "2.3.13": 5,
}

# Section, number, name and variant type, typed in from the page.
PAGE = [
    ("2.3.1.1", 101, "PROPID_Q_INSTANCE", 72),
    ("2.3.1.3", 103, "PROPID_Q_PATHNAME", 31),
    ("2.3.1.4", 104, "PROPID_Q_JOURNAL", 17),
    ("2.3.1.6", 106, "PROPID_Q_BASEPRIORITY", 2),
    ("2.3.1.9", 109, "PROPID_Q_CREATE_TIME", 3),
    ("2.3.1.12", 112, "PROPID_Q_PRIV_LEVEL", 19),
    ("2.3.1.17", 117, "PROPID_Q_SEQNUM", 65),
    ("2.3.1.20", 121, "PROPID_Q_FULL_PATH", 31),
    ("2.3.1.21", 123, "PROPID_Q_NAME_SUFFIX", 31),
    ("2.3.1.23", 125, "PROPID_Q_MULTICAST_ADDRESS", 31),
    ("2.3.1.27", 1103, "PROPID_Q_SECURITY_INFORMATION", 19),
    ("2.3.2.4", 205, "PROPID_QM_ENCRYPTION_PK", 0x1011),
    ("2.3.2.5", 206, "PROPID_QM_ADDRESS", 65),
    ("2.3.2.6", 207, "PROPID_QM_CNS", 0x1048),
    ("2.3.2.10", 214, "PROPID_QM_QUOTA", 19),
    ("2.3.2.11", 211, "PROPID_QM_PARTITIONID", 72),
    ("2.3.2.22", 223, "PROPID_QM_OUTFRS_DN", 0x101F),
    ("2.3.2.24", 227, "PROPID_QM_SERVICE_ROUTING", 17),
    ("2.3.2.35", 242, "PROPID_QM_GROUP_IN_CLUSTER", 17),
    ("2.3.2.39", 1205, "PROPID_QM_UPGRADE_DACL", 65),
    ("2.3.3.5", 305, "PROPID_S_INTERVAL1", 18),
    ("2.3.3.10", 310, "PROPID_S_NT4_STUB", 18),
    ("2.3.3.14", 1302, "PROPID_S_PSC_SIGNPK", 65),
    ("2.3.4.1", 501, "PROPID_CN_PROTOCOLID", 17),
    ("2.3.4.6", 1501, "PROPID_CN_SECURITY", 65),
    ("2.3.5.15", 616, "PROPID_E_LONG_LIVE", 19),
    ("2.3.5.16", 617, "PROPID_E_VERSION", 18),
    ("2.3.5.18", 615, "PROPID_E_CIPHER_MODE", 19),
    ("2.3.6.2", 703, "PROPID_U_PARTITIONID", 72),
    ("2.3.6.4", 702, "PROPID_U_SIGN_CERT", 65),
    ("2.3.6.5", 705, "PROPID_U_DIGEST", 0x1048),
    ("2.3.7.3", 803, "PROPID_L_COST", 19),
    ("2.3.7.13", 813, "PROPID_L_GATES", 0x1048),
    ("2.3.8.1", 5101, "PROPID_SET_NAME", 31),
    ("2.3.8.11", 5112, "PROPID_SET_OLDSERVICE", 19),
    ("2.3.9.3", 5405, "PROPID_MQU_DIGEST", 0x1048),
    ("2.3.10.3", 5204, "PROPID_COM_ACCOUNT_CONTROL", 19),
    ("2.3.11.6", 6, "PROPID_MGMT_MSMQ_BYTES_IN_ALL_QUEUES", 20),
    ("2.3.12.14", 14, "PROPID_MGMT_QUEUE_EOD_LAST_ACK_TIME", 3),
    ("2.3.12.24", 24, "PROPID_MGMT_QUEUE_EOD_SOURCE_INFO", 0x100C),
    ("2.3.12.25", 25, "PROPID_MGMT_QUEUE_CONNECTION_HISTORY", 0x100C),
    ("2.3.12.27", 27, "PROPID_MGMT_QUEUE_SUBQUEUE_NAMES", 0x101F),
    ("2.3.13.3", 1403, "PROPID_D_SCOPE", 17),
    ("2.3.13.5", 1405, "PROPID_D_IDENTIFIER", 72),
]

SECTION = re.compile(r"2\.3\.(\d+)\.(\d+)")
EVERY_ID = {found.id for found in load_requirements()}
REQUIRED = [
    found for found in load_requirements() if found.document == "MS-MQMQ" and SECTION.fullmatch(found.section)
]
TYPE_ROW = re.compile(r"Identifier (\d+) \(0x[0-9A-F]{8}\); value has variant type (\S+)")

GUID_TEXT = "01234567-89AB-CDEF-0123-456789ABCDEF"


def named(name: str) -> Property:
    found = by_name(name)
    assert found is not None
    return found


# --- the table ---------------------------------------------------------------------------------------


def test_each_section_has_as_many_rows_as_the_page_has_headings() -> None:
    assert Counter(found.section.rpartition(".")[0] for found in PROPERTIES) == HEADINGS


def test_rows_stand_in_the_order_of_the_page_and_leave_none_out() -> None:
    assert [found.section for found in PROPERTIES] == [
        f"{section}.{n}" for section, count in HEADINGS.items() for n in range(1, count + 1)
    ]


def test_each_section_has_one_object_class_and_each_class_one_section() -> None:
    pairs = {(found.section.rpartition(".")[0], found.object_class) for found in PROPERTIES}
    assert len(pairs) == len(HEADINGS) == len(ObjectClass)


@for_each(("section", "number", "name", "vartype"), lambda: PAGE)
def test_number_name_and_type_are_those_of_the_page(
    section: str, number: int, name: str, vartype: int
) -> None:
    found = named(name)
    assert (found.section, found.number, found.name, found.vartype) == (section, number, name, vartype)
    assert PROPID[name] == number


def test_every_requirement_of_the_sections_belongs_to_a_property() -> None:
    assert REQUIRED
    owners = {one: found for found in PROPERTIES for one in found.requirements}
    assert set(owners) == {found.id for found in REQUIRED}
    for requirement in REQUIRED:
        assert owners[requirement.id].section == requirement.section
        assert owners[requirement.id].name == requirement.subject.partition(".")[0]


@pytest.mark.requirement("MQDSRP-2.2.1-03")
def test_the_requirements_about_number_and_type_agree_with_the_table() -> None:
    rows = {found.id: TYPE_ROW.match(found.requirement) for found in REQUIRED}
    typed = {found.type_requirement: found for found in PROPERTIES if found.type_requirement}
    assert set(typed) == {one for one, match in rows.items() if match}
    for one, found in typed.items():
        match = rows[one]
        assert match is not None
        assert match.groups() == (str(found.number), vartype_name(found.vartype).replace(" ", ""))


def test_a_rule_that_is_for_the_wire_and_not_about_the_type_restricts_the_value() -> None:
    restricting = {
        one for found in PROPERTIES for one in found.value_requirements if one in found.requirements
    }
    assert restricting == {
        found.id
        for found in REQUIRED
        if found.kind in {"wire", "context"} and not TYPE_ROW.match(found.requirement)
    }


def test_every_restriction_is_a_constraint_or_a_structure() -> None:
    structures = {
        Form.SECURITY_DESCRIPTOR,
        Form.SID,
        Form.MQDSPUBLICKEYS,
        Form.MQUSERSIGNCERTS,
        Form.TA_ADDRESS,
    }
    for found in PROPERTIES:
        if found.value_requirements:
            assert found.constraint is not None or found.kind in structures, found.name


@pytest.mark.requirement("MQDSRP-2.2.1-01", "MQCN-2.2.2.1-01")
def test_directory_messages_use_the_identifiers_of_their_documents() -> None:
    # [MC-MQDSRP] 2.2.1, and two more of [MS-MQCN] 2.2.2.1.
    mqdsrp = {
        *range(101, 120),
        *(201, 202, 203, *range(206, 221)),
        *range(301, 309),
        *range(501, 506),
        *range(601, 618),
        *range(701, 707),
        *range(801, 807),
        *(1101, 1201, 1202, 1203, 1301, 1302),
        *range(1401, 1406),
        *(1501, 1601),
    }
    assert {found.number for found in PROPERTIES if found.in_directory_messages} == mqdsrp | {125, 126}
    notified = {found.number for found in PROPERTIES if found.in_change_notification}
    assert set() < notified <= mqdsrp | {125, 126}
    assert all(found.object_class > 0 for found in PROPERTIES if found.in_directory_messages)


def test_names_are_unique_and_so_are_the_numbers_of_directory_properties() -> None:
    assert len({found.name for found in PROPERTIES}) == len(PROPERTIES) == len(PROPID)
    assert len({(found.number, found.object_class) for found in PROPERTIES}) == len(PROPERTIES)
    directory = [found.number for found in PROPERTIES if not found.section.startswith(("2.3.11.", "2.3.12."))]
    assert len(set(directory)) == len(directory)


def test_the_table_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        PROPERTIES[0].number = 1  # type: ignore[misc]  # this is the mistake
    with pytest.raises(TypeError):
        PROPID["PROPID_Q_LABEL"] = 1  # type: ignore[index]  # this is the mistake
    assert len(set(PROPERTIES)) == len(PROPERTIES)
    assert pickle.loads(pickle.dumps(PROPERTIES)) == PROPERTIES  # noqa: S301  # our own bytes


def test_descriptions_are_short_sentences() -> None:
    for found in PROPERTIES:
        assert re.fullmatch(r"[A-Z][^\n]{4,90}\.", found.description), found.name


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("PROPID_Q_CREATE_TIME", Form.TIME),
        ("PROPID_Q_SEQNUM", Form.SEQUENCE_NUMBER),
        ("PROPID_Q_QUOTA", Form.KILOBYTES),
        ("PROPID_Q_HASHKEY", Form.RESERVED),
        ("PROPID_Q_SECURITY", Form.SECURITY_DESCRIPTOR),
        ("PROPID_Q_TRANSACTION", Form.BOOLEAN),
        ("PROPID_Q_QMID", Form.GUID),
        ("PROPID_Q_LABEL", None),
        ("PROPID_QM_ADDRESS", Form.TA_ADDRESS),
        ("PROPID_QM_CNS", Form.GUID),
        ("PROPID_QM_ENCRYPT_PK", Form.MQDSPUBLICKEYS),
        ("PROPID_QM_UPGRADE_DACL", Form.IGNORED),
        ("PROPID_U_SID", Form.SID),
        ("PROPID_U_SIGN_CERT", Form.MQUSERSIGNCERTS),
        ("PROPID_U_DIGEST", Form.DIGEST),
        ("PROPID_MQU_SIGN_CERT", Form.CERTIFICATE),
        ("PROPID_MGMT_QUEUE_EOD_NEXT_SEQ", Form.SEQUENCE_INFO),
        ("PROPID_D_OBJTYPE", Form.OBJECT_TYPE),
    ],
)
def test_kind_says_how_to_read_the_value(name: str, kind: Form | None) -> None:
    assert named(name).kind is kind


@pytest.mark.parametrize(
    ("name", "since"),
    [
        ("PROPID_Q_LABEL", 1),
        ("PROPID_Q_FULL_PATH", 2),
        ("PROPID_Q_MULTICAST_ADDRESS", 3),
        ("PROPID_S_SECURITY_INFORMATION", 3),
        ("PROPID_L_GATES_DN", 3),
        ("PROPID_L_GATES", 2),
        ("PROPID_SET_NAME", 2),
        ("PROPID_MQU_ID", 2),
        ("PROPID_COM_ID", 2),
        ("PROPID_MGMT_QUEUE_BYTES_IN_JOURNAL", 3),
    ],
)
def test_since_is_the_first_version_that_has_the_property(name: str, since: int) -> None:
    assert named(name).since == since


def test_exports_are_sorted_and_exist() -> None:
    exported = propid.__all__
    assert len(set(exported)) == len(exported)
    assert all(hasattr(propid, name) for name in exported)


# --- variant types -----------------------------------------------------------------------------------


def test_variant_types_have_the_numbers_of_the_page() -> None:
    assert {vartype.name: int(vartype) for vartype in VARTYPE} == {**VARTYPES, "VT_VECTOR": 0x1000}


@pytest.mark.parametrize(
    ("vartype", "name"),
    [
        (17, "VT_UI1"),
        (8, "VT_BSTR"),
        (0x1048, "VT_CLSID | VT_VECTOR"),
        (0, "VT_EMPTY"),
        (7, "0x0007"),
        (0x1007, "0x1007"),
    ],
)
def test_a_variant_type_prints_as_on_the_page(vartype: int, name: str) -> None:
    assert vartype_name(vartype) == name


# --- looking up --------------------------------------------------------------------------------------


def test_a_number_alone_finds_directory_properties_only() -> None:
    assert by_number(108) is named("PROPID_Q_LABEL")
    assert by_number(1404) is named("PROPID_D_OBJTYPE")
    assert by_number(5101) is named("PROPID_SET_NAME")
    assert [by_number(n) for n in range(101)] == [None] * 101


def test_a_management_property_is_found_by_number_and_class() -> None:
    machine, queue = ObjectClass.MANAGEMENT_MACHINE, ObjectClass.MANAGEMENT_QUEUE
    assert by_number(1, machine) is named("PROPID_MGMT_MSMQ_ACTIVEQUEUES")
    assert by_number(1, queue) is named("PROPID_MGMT_QUEUE_PATHNAME")
    assert by_number(7, machine) is None
    assert by_number(27, queue) is named("PROPID_MGMT_QUEUE_SUBQUEUE_NAMES")


def test_a_class_narrows_the_search() -> None:
    assert by_number(108, ObjectClass.QUEUE) is named("PROPID_Q_LABEL")
    assert by_number(108, ObjectClass.MACHINE) is None


def test_what_is_unknown_is_none() -> None:
    for number in (0, 120, 122, 204, 618, 900, 1000, 2**32 - 1):
        assert by_number(number) is None
    assert by_name("PROPID_Q_ID") is None
    assert "PROPID_Q_ID" not in PROPID


@for_each("found", lambda: PROPERTIES, ids=lambda found: found.name)
def test_every_property_is_found(found: Property) -> None:
    assert by_name(found.name) is found
    assert by_number(found.number, found.object_class) is found


# --- the object type rule ----------------------------------------------------------------------------

RULE = {
    1: ObjectClass.QUEUE,
    2: ObjectClass.MACHINE,
    3: ObjectClass.SITE,
    5: ObjectClass.CONNECTED_NETWORK,
    6: ObjectClass.ENTERPRISE,
    7: ObjectClass.USER,
    8: ObjectClass.ROUTING_LINK,
}


@pytest.mark.parametrize("base", [0, 1000])
@pytest.mark.parametrize("hundred", range(1, 10))
def test_the_rule_at_both_ends_of_each_range(base: int, hundred: int) -> None:
    first = base + hundred * 100
    for number in (first, first + 1, first + 99):
        assert object_type(number) == hundred
        assert object_class_of(number) is RULE.get(hundred)


@pytest.mark.parametrize(
    ("number", "type_"),
    [(0, 0), (99, 0), (999, 9), (1000, 10), (1001, 0), (1099, 0), (1100, 1), (2000, 10), (5101, 41)],
)
def test_the_rule_outside_its_ranges_and_at_the_seam(number: int, type_: int) -> None:
    assert object_type(number) == type_
    assert object_class_of(number) is RULE.get(type_)


@given(st.integers(0, 2**32 - 1))
def test_the_rule_is_the_arithmetic_of_the_page(number: int) -> None:
    expected = (number - 1000) // 100 if number > 1000 else number // 100
    assert object_class_of(number) is RULE.get(expected)


def test_the_rule_agrees_with_the_table_where_it_knows_the_type() -> None:
    for found in PROPERTIES:
        if found.object_class in RULE.values():
            assert object_class_of(found.number) is found.object_class, found.name
        else:
            assert object_class_of(found.number) is None, found.name


@pytest.mark.parametrize("command", [0x00, 0x01, 0x03])
def test_a_change_takes_its_object_from_the_first_identifier(command: int) -> None:
    assert changed_object_class(command, 101) is ObjectClass.QUEUE
    assert changed_object_class(command, 1201, 1) is ObjectClass.MACHINE
    assert changed_object_class(command, 1403, 1) is None


@pytest.mark.parametrize("type_", range(10))
def test_a_deletion_takes_its_object_from_the_second_value(type_: int) -> None:
    assert changed_object_class(0x02, 1403, type_) is RULE.get(type_)


@pytest.mark.parametrize("value", [None, "1", b"\x01", [1], -8])
def test_a_deletion_without_an_object_type_is_of_no_known_class(value: object) -> None:
    assert changed_object_class(0x02, 1403, value) is None
    assert changed_object_class(0x02, 101, value) is None


# --- names of values ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("PROPID_Q_PRIV_LEVEL", 2, "MQ_PRIV_LEVEL_BODY"),
        ("PROPID_Q_PRIV_LEVEL", 3, None),
        ("PROPID_Q_SCOPE", 1, "MQDS_ENTERPRISESCOPE"),
        ("PROPID_QM_OS", 0x400, "MSMQ_OS_NTS"),
        ("PROPID_QM_SERVICE", 4, "primary site controller"),
        ("PROPID_D_OBJTYPE", 8, "MQDS_ROUTINGLINK"),
        ("PROPID_MGMT_QUEUE_STATE", "INACTIVE", "MGMT_QUEUE_STATE_NONACTIVE"),
        ("PROPID_QM_SECURITY_INFORMATION", 5, "OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION"),
        ("PROPID_QM_SECURITY_INFORMATION", 0, None),
        ("PROPID_QM_SECURITY_INFORMATION", 0x10, None),
        ("PROPID_QM_SECURITY_INFORMATION", "1", None),
        ("PROPID_COM_ACCOUNT_CONTROL", 0x1000, "UF_WORKSTATION_TRUST_ACCOUNT"),
        ("PROPID_Q_LABEL", "x", None),
    ],
)
def test_a_listed_value_has_a_name(name: str, value: object, text: str | None) -> None:
    assert value_name(named(name), value) == text


def test_names_of_the_page_are_told_from_phrases_of_ours() -> None:
    scope, service = named("PROPID_Q_SCOPE").constraint, named("PROPID_QM_SERVICE").constraint
    assert isinstance(scope, OneOf)
    assert isinstance(service, OneOf)
    assert (scope.named, service.named) == (True, False)
    for found in PROPERTIES:
        if isinstance(found.constraint, OneOf) and found.constraint.named:
            assert all(re.fullmatch("[A-Z0-9_]+", name) for _, name in found.constraint.members)


def test_the_object_types_of_a_deletion_are_the_numbers_of_the_classes() -> None:
    types = named("PROPID_D_OBJTYPE").constraint
    assert isinstance(types, OneOf)
    assert [value for value, _ in types.members] == [found for found in ObjectClass if found > 0]


# --- checking values ---------------------------------------------------------------------------------

GOOD: list[tuple[str, object]] = [
    ("PROPID_Q_INSTANCE", NULL_GUID),
    ("PROPID_Q_PATHNAME", r"host\queue"),
    ("PROPID_Q_PATHNAME", r"host\private$\queue"),
    ("PROPID_Q_PATHNAME", r"host\system$;queue"),
    ("PROPID_Q_PATHNAME", r"host\one,two"),
    ("PROPID_Q_PATHNAME", r"host\queue;sub"),
    ("PROPID_Q_JOURNAL", 1),
    ("PROPID_Q_JOURNAL", True),
    ("PROPID_Q_BASEPRIORITY", -32768),
    ("PROPID_Q_JOURNAL_QUOTA", 0xFFFFFFFF),
    ("PROPID_Q_LABEL", ""),
    ("PROPID_Q_LABEL", "x" * 124),
    ("PROPID_Q_LABEL", "\U0001f600" * 62),
    ("PROPID_Q_CREATE_TIME", -1),
    ("PROPID_Q_SEQNUM", bytes(8)),
    ("PROPID_Q_HASHKEY", 7),
    ("PROPID_Q_PATHNAME_DNS", r"host.example.com\queue"),
    ("PROPID_Q_MULTICAST_ADDRESS", "224.0.0.0:0"),
    ("PROPID_Q_MULTICAST_ADDRESS", "239.255.255.255:2000"),
    ("PROPID_Q_ADS_PATH", "LDAP://Server/CN=Queue,CN=msmq,CN=Host,CN=Computers,DC=Example,DC=COM"),
    ("PROPID_Q_ADS_PATH", "ldap:///dc=x?cn?one?(a=b)"),
    ("PROPID_Q_SECURITY_INFORMATION", 0),
    ("PROPID_Q_SECURITY_INFORMATION", 0xF),
    ("PROPID_QM_ENCRYPTION_PK", b"key"),
    ("PROPID_QM_ENCRYPTION_PK", (1, 255)),
    ("PROPID_QM_CNS", ()),
    ("PROPID_QM_CNS", (NULL_GUID,)),
    ("PROPID_QM_CNS", [NULL_GUID, NULL_GUID]),
    ("PROPID_QM_SERVICE", 0x10),
    ("PROPID_QM_FULL_PATH", ""),
    ("PROPID_QM_FULL_PATH", "CN=a"),
    ("PROPID_QM_FULL_PATH", r"CN=msmq+OU=x\, y,2.5.4.3=#04AB,DC=ex\C3\A4mple,O="),
    ("PROPID_QM_OUTFRS_DN", ("CN=a", "CN=b c")),
    ("PROPID_QM_GROUP_IN_CLUSTER", 1),
    ("PROPID_QM_UPGRADE_DACL", b""),
    ("PROPID_CN_PROTOCOLID", 5),
    ("PROPID_U_DIGEST", (GUID(bytes(16)),)),
    ("PROPID_L_COST", 1),
    ("PROPID_L_COST", 999999),
    ("PROPID_SET_NAME", "MSMQ Settings"),
    ("PROPID_COM_SAM_ACCOUNT", "MyComputer$"),
    ("PROPID_COM_ACCOUNT_CONTROL", 0x1020),
    ("PROPID_COM_DNS_HOSTNAME", "host.example.com"),
    ("PROPID_MGMT_MSMQ_ACTIVEQUEUES", ("DIRECT=OS:host\\q", f"PUBLIC={GUID_TEXT}", f"MACHINE={GUID_TEXT}")),
    ("PROPID_MGMT_MSMQ_ACTIVEQUEUES", (f"PRIVATE={GUID_TEXT}\\1F", "MULTICAST=234.1.1.1:8001")),
    ("PROPID_MGMT_MSMQ_DSSERVER", r"\\server"),
    ("PROPID_MGMT_MSMQ_BYTES_IN_ALL_QUEUES", 2**40),
    ("PROPID_MGMT_QUEUE_FORMATNAME", f"DL={GUID_TEXT}"),
    ("PROPID_MGMT_QUEUE_XACT", "UNKNOWN"),
    ("PROPID_MGMT_QUEUE_NEXTHOPS", ("IP=10.0.0.1", f"FOREIGN={GUID_TEXT}", "IPv6=fe80::1", "IPv6=::1.2.3.4")),
    ("PROPID_MGMT_QUEUE_SUBQUEUE_NAMES", ("poison", "x" * 32)),
    ("PROPID_MGMT_QUEUE_EOD_SOURCE_INFO", (("DIRECT=OS:a\\b",), (NULL_GUID,), (2**64 - 1,), (), (0,), (0,))),
    ("PROPID_MGMT_QUEUE_CONNECTION_HISTORY", ((0, 0x8000000D), (1, 2), (0, 1), (r"\\host", "10.0.0.1"))),
    ("PROPID_MGMT_QUEUE_CONNECTION_HISTORY", ((2,), (1,), (0,), ((r"\\host", "10.0.0.1"),))),
    ("PROPID_D_OBJTYPE", 4),
]

BAD: list[tuple[str, object, str | None, str]] = [
    ("PROPID_Q_INSTANCE", "x", "2.3.1.1-01", "is 'x', not a GUID"),
    ("PROPID_Q_PATHNAME", "host", "2.3.1.3-01", "is 'host', not QueuePathName of [MS-MQMQ] 2.1.1"),
    ("PROPID_Q_PATHNAME", "h\\" + "q" * 125, "2.3.1.3-01", "is 'h\\\\" + "q" * 38 + "'..., not Queue"),
    ("PROPID_Q_PATHNAME", "q" * 40, "2.3.1.3-01", f"is '{'q' * 40}', not Queue"),
    ("PROPID_Q_PATHNAME", "q" * 41, "2.3.1.3-01", f"is '{'q' * 40}'..., not Queue"),
    ("PROPID_Q_PATHNAME", b"q" * 40, "2.3.1.3-02", f"is b'{'q' * 40}', not text"),
    ("PROPID_Q_PATHNAME", b"q" * 41, "2.3.1.3-02", f"is b'{'q' * 40}'..., not text"),
    ("PROPID_Q_PATHNAME", 5, "2.3.1.3-02", "is 5, not text"),
    ("PROPID_Q_JOURNAL", 255, "2.3.1.4-01", "is 255, not one of 0, 1"),
    ("PROPID_Q_JOURNAL", 2, "2.3.1.4-01", "is 2, not one of 0, 1"),
    ("PROPID_Q_JOURNAL", 256, "2.3.1.4-02", "is 256 (0x100), outside 0 to 255 (VT_UI1)"),
    ("PROPID_Q_JOURNAL", None, "2.3.1.4-02", "is a NoneType, not a number"),
    ("PROPID_Q_QUOTA", (1 << 64) - 1, "2.3.1.5-01", f"is 18446744073709551615 (0x{'F' * 16}), outside 0 to"),
    ("PROPID_Q_QUOTA", 1 << 64, "2.3.1.5-01", "is a number of more than 64 bits, outside 0 to 4294967295"),
    ("PROPID_Q_BASEPRIORITY", -32769, "2.3.1.6-02", "is -32769, outside -32768 to 32767 (VT_I2)"),
    ("PROPID_Q_LABEL", "x" * 125, "2.3.1.8-01", "has 125 characters, more than 124"),
    ("PROPID_Q_LABEL", "\U0001f600" * 63, "2.3.1.8-01", "has 126 characters, more than 124"),
    ("PROPID_Q_LABEL", "a\0b", "2.3.1.8-02", "is 'a\\x00b', with a null character inside"),
    ("PROPID_Q_PRIV_LEVEL", 3, "2.3.1.12-01", "is 3, not one of 0, 1, 2"),
    ("PROPID_Q_SEQNUM", bytes(7), "MQDSRP-2.2.2-01", "has 7 bytes, not 8"),
    ("PROPID_Q_MULTICAST_ADDRESS", "234.1.1.1", "2.3.1.23-01", "is '234.1.1.1', not Address and Port"),
    ("PROPID_Q_MULTICAST_ADDRESS", "234.1.1.1:1:2", "2.3.1.23-01", "is '234.1.1.1:1:2', not Address and"),
    ("PROPID_Q_MULTICAST_ADDRESS", "10.0.0.1:1", "2.3.1.23-02", "is '10.0.0.1:1', not an address from 224."),
    ("PROPID_Q_ADS_PATH", "http://x/", "2.3.1.24-01", "is 'http://x/', not ldapurl of RFC 4516"),
    ("PROPID_Q_ADS_PATH", "ldap://x/a b", "2.3.1.24-01", "is 'ldap://x/a b', not ldapurl"),
    ("PROPID_Q_SECURITY", "x", "2.3.1.25-02", "is 'x', not bytes"),
    ("PROPID_Q_SECURITY_INFORMATION", 0x10, "MQMQ-2.2.3-01", "is 16, with bits outside 0x0000000F"),
    ("PROPID_QM_ENCRYPTION_PK", "x", None, "is 'x', not a tuple"),
    ("PROPID_QM_ENCRYPTION_PK", (1, 256), None, "has an element 1 that is 256 (0x100), outside 0 to 255"),
    ("PROPID_QM_CNS", b"x", "2.3.2.6-01", "is b'x', not a tuple"),
    ("PROPID_QM_CNS", (NULL_GUID, 1), "2.3.2.6-01", "has an element 1 that is 1, not a GUID"),
    ("PROPID_QM_FULL_PATH", "CN", "2.3.2.20-01", "is 'CN', not distinguishedName of RFC 4514"),
    ("PROPID_QM_FULL_PATH", "CN= a", "2.3.2.20-01", "is 'CN= a', not distinguishedName"),
    ("PROPID_QM_FULL_PATH", "CN=a ", "2.3.2.20-01", "is 'CN=a ', not distinguishedName"),
    ("PROPID_QM_OUTFRS_DN", ("CN=a", "b"), "2.3.2.22-01", "has an element 1 that is 'b', not disting"),
    ("PROPID_QM_SERVICE_ROUTING", 2, "2.3.2.24-02", "is 2, not one of 0, 1"),
    ("PROPID_QM_OS", 0x600, "2.3.2.19-01", "is 1536 (0x600), not one of 0, 256 (0x100), 512 (0x200)"),
    ("PROPID_U_DIGEST", (GUID(b"short"),), "2.3.6.5-01", "has an element 0 that has 5 bytes, not 16"),
    ("PROPID_L_COST", 0, "2.3.7.3-01", "is 0, outside 1 to 999999"),
    ("PROPID_L_ACTUAL_COST", 1000000, "2.3.7.12-01", "is 1000000 (0xF4240), outside 1 to 999999"),
    ("PROPID_SET_NAME", "msmq settings", "2.3.8.1-01", "is 'msmq settings', not one of 'MSMQ Settings'"),
    ("PROPID_COM_SAM_ACCOUNT", "MyComputer", None, "is 'MyComputer', not up to 19 characters"),
    ("PROPID_COM_ACCOUNT_CONTROL", 4, "2.3.10.3-01", "is 4, with bits outside 0x0FFF3BFB"),
    ("PROPID_COM_DNS_HOSTNAME", "a..b", "2.3.10.4-01", "is 'a..b', not a fully qualified domain name"),
    ("PROPID_MGMT_MSMQ_ACTIVEQUEUES", (f"DL={GUID_TEXT}",), "2.3.11.1-01", "has an element 0 that is 'DL="),
    ("PROPID_MGMT_MSMQ_ACTIVEQUEUES", ("PUBLIC=x",), "2.3.11.1-01", "has an element 0 that is 'PUBLIC=x'"),
    ("PROPID_MGMT_MSMQ_DSSERVER", "server", None, "is 'server', not DS of [MS-MQMQ] 2.3.11.3"),
    ("PROPID_MGMT_QUEUE_TYPE", "Public", "2.3.12.3-01", "is 'Public', not one of 'PUBLIC', 'PRIVATE',"),
    ("PROPID_MGMT_QUEUE_LOCATION", "HERE", "2.3.12.4-01", "is 'HERE', not one of 'LOCAL', 'REMOTE'"),
    ("PROPID_MGMT_QUEUE_XACT", "MAYBE", "2.3.12.5-01", "is 'MAYBE', not one of 'UNKNOWN', 'YES', 'NO'"),
    ("PROPID_MGMT_QUEUE_FOREIGN", "", "2.3.12.6-01", "is '', not one of 'UNKNOWN', 'YES', 'NO'"),
    ("PROPID_MGMT_QUEUE_STATE", "LOST", "2.3.12.11-01", "is 'LOST', not one of 'LOCAL CONNECTION', "),
    ("PROPID_MGMT_MSMQ_CONNECTED", "connected", "2.3.11.4-01", "is 'connected', not one of 'CONNECTED'"),
    ("PROPID_MGMT_QUEUE_FORMATNAME", "x", None, "is 'x', not a format name of [MS-MQMQ] 2.1"),
    ("PROPID_MGMT_QUEUE_NEXTHOPS", ("IP=::1",), None, "has an element 0 that is 'IP=::1', not Address"),
    ("PROPID_MGMT_QUEUE_NEXTHOPS", ("IPv6=fe80::1%1",), None, "has an element 0 that is 'IPv6=fe80::1%1'"),
    ("PROPID_MGMT_QUEUE_NEXTHOPS", ("FOREIGN=1",), None, "has an element 0 that is 'FOREIGN=1', not Address"),
    ("PROPID_MGMT_QUEUE_SUBQUEUE_NAMES", ("a;b",), None, "has an element 0 that is 'a;b', not Subqueue"),
    ("PROPID_MGMT_QUEUE_EOD_SOURCE_INFO", ((),), None, "has 1 arrays, not 6"),
    (
        "PROPID_MGMT_QUEUE_EOD_SOURCE_INFO",
        (("x",), (), (), (), (), ()),
        None,
        "has an array 'Format name' that has an element 0 that is 'x', not a format name",
    ),
    (
        "PROPID_MGMT_QUEUE_CONNECTION_HISTORY",
        ((3,), (), (), ()),
        "2.3.12.25-01",
        "has an array 'Status' that has an element 0 that is 3, not one of 0, 1, 2, 2147483648 (0x80000000)",
    ),
    (
        "PROPID_MGMT_QUEUE_CONNECTION_HISTORY",
        ((), (), (), ("host",)),
        "2.3.12.25-02",
        "has an array 'List of addresses' that has an element 0 that is 'host', not Address of",
    ),
    (
        "PROPID_MGMT_QUEUE_CONNECTION_HISTORY",
        ((), (), (), "host"),
        None,
        "has an array 'List of addresses' that is 'host', not a tuple",
    ),
    ("PROPID_D_OBJTYPE", 0, "2.3.13.4-01", "is 0, not one of 1, 2, 3, 4, 5, 6, 7, 8"),
]


@for_each(("name", "value"), lambda: GOOD)
def test_an_allowed_value_passes(name: str, value: object) -> None:
    assert check(named(name), value) is None
    assert breach(named(name), value) is None


@for_each(("name", "value", "requirement", "message"), lambda: BAD)
def test_a_forbidden_value_is_named_with_its_requirement(
    name: str, value: object, requirement: str | None, message: str
) -> None:
    found = breach(named(name), value)
    assert found is not None
    assert found.message.startswith(f"{name} {message}")
    if requirement is not None and requirement[0] == "2":
        requirement = f"MQMQ-{requirement}"
    assert found.requirement == (requirement or "")
    assert check(named(name), value) == found.message


SAMPLES: list[object] = [None, 0, 1, -1, 10**5000, True, 1.5, "", "x", b"", b"x", NULL_GUID, (), (1,), [[]]]


@for_each("found", lambda: PROPERTIES, ids=lambda found: found.name)
def test_checking_never_fails_and_names_only_requirements_that_exist(found: Property) -> None:
    for value in [*SAMPLES, *((value,) * 4 for value in SAMPLES), *((value,) * 6 for value in SAMPLES)]:
        result = breach(found, value)
        if result is not None:
            assert result.message.startswith(found.name)
            assert not result.requirement or result.requirement in EVERY_ID
    assert set(found.requirements + found.value_requirements) <= EVERY_ID


@given(st.sampled_from(list(Grammar)), st.text(max_size=40))
def test_every_grammar_judges_any_text(grammar: Grammar, text: str) -> None:
    made = Property(1, "P", ObjectClass.QUEUE, 31, "0", "d", propid.Matches(grammar))
    result = check(made, text)
    assert result is None or isinstance(result, str)


@given(st.integers(0, 2**32 - 1))
def test_an_enumerated_number_passes_exactly_if_it_has_a_name(value: int) -> None:
    for name in ("PROPID_Q_PRIV_LEVEL", "PROPID_QM_OS", "PROPID_SET_SERVICE"):
        found = named(name)
        assert (check(found, value) is None) == (value_name(found, value) is not None)


def test_constraints_apply_to_properties_that_a_caller_makes() -> None:
    made = Property(1, "P", ObjectClass.QUEUE, VARTYPE.VT_UI2, "0", "d", Range(2, 3))
    assert check(made, 4) == "P is 4, outside 2 to 3"
    violation = breach(made, 4)
    assert violation is not None
    assert (violation.requirement, violation.message) == ("", "P is 4, outside 2 to 3")
    assert (violation.path, violation.found) == ("P", 4)
    for vartype, constraint, value in [(31, Size(1), "xx"), (65, MaxLength(0), b"x"), (31, Bits(()), "x")]:
        other = msgspec.structs.replace(made, vartype=vartype, constraint=constraint)
        assert check(other, value) is None, "a constraint says nothing about values of another type"


def test_types_that_no_property_has_are_checked_or_let_pass() -> None:
    made = Property(1, "P", ObjectClass.QUEUE, VARTYPE.VT_BOOL, "0", "d")
    assert check(made, True) is None
    assert check(made, "x") == "P is 'x', not a truth value"
    assert check(msgspec.structs.replace(made, vartype=VARTYPE.VT_EMPTY), object()) is None


@pytest.mark.parametrize(
    ("vartype", "low", "high"),
    [
        (VARTYPE.VT_I1, -(2**7), 2**7 - 1),
        (VARTYPE.VT_I2, -(2**15), 2**15 - 1),
        (VARTYPE.VT_I4, -(2**31), 2**31 - 1),
        (VARTYPE.VT_I8, -(2**63), 2**63 - 1),
        (VARTYPE.VT_UI1, 0, 2**8 - 1),
        (VARTYPE.VT_UI2, 0, 2**16 - 1),
        (VARTYPE.VT_UI4, 0, 2**32 - 1),
        (VARTYPE.VT_UI8, 0, 2**64 - 1),
    ],
)
def test_numbers_of_a_type_have_its_range(vartype: VARTYPE, low: int, high: int) -> None:
    assert [type_fault(vartype, value) for value in (low, high)] == [None, None]
    for value in (low - 1, high + 1):
        assert f"outside {low} to {high}" in str(type_fault(vartype, value))
