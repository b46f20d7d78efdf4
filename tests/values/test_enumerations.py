"""Numbers of the enumerations, by hand from the pages of [MS-MQMQ] 2.2."""

from __future__ import annotations

from enum import IntFlag

from support_rows import for_each

from msmq_wire.values.enumerations import ENUMERATIONS, enumerations

RIGHTS = range(16, 20)  # to delete, to read and to change the permissions, to take the ownership
BITS = {  # 2.2.24 to 2.2.28: the bits of single rights
    "MQQMACCESSMASK": [0, 1, 2, 4, 5, 6, 7, *RIGHTS],
    "MQQUEUEACCESSMASK": [0, 1, 2, 3, 4, 5, *RIGHTS],
    "MQSITEACCESSMASK": [0, 1, 2, 4, 5, *RIGHTS],
    "MQENTACCESSMASK": [0, 1, 2, 4, 5, *RIGHTS],
    "MQCNACCESSMASK": [0, 4, 5, *RIGHTS],
}
READ, SET, GET = 1 << 17, 1 << 4, 1 << 5
TOGETHER = {  # and several rights together
    "MQQMACCESSMASK": {
        "MQSEC_RECEIVE_DEADLETTER_MESSAGE": 0b11,
        "MQSEC_RECEIVE_JOURNAL_QUEUE_MESSAGE": 0b11 << 6,
        "MQSEC_MACHINE_GENERIC_READ": READ | GET | 0b11 | 0b11 << 6,
        "MQSEC_MACHINE_GENERIC_WRITE": READ | GET | 0b100,
        "MQSEC_MACHINE_WORLD_RIGHTS": READ | GET,
    },
    "MQQUEUEACCESSMASK": {
        "MQSEC_RECEIVE_MESSAGE": 0b11,
        "MQSEC_RECEIVE_JOURNAL_MESSAGE": 0b1010,
        "MQSEC_QUEUE_GENERIC_READ": READ | GET | 0b1011,
        "MQSEC_QUEUE_GENERIC_WRITE": READ | GET | 0b100,
    },
    "MQSITEACCESSMASK": {
        "MQSEC_SITE_GENERIC_READ": READ | GET,
        "MQSEC_SITE_GENERIC_WRITE": READ | GET | 0b100,
    },
    "MQENTACCESSMASK": {
        "MQSEC_ENTERPRISE_GENERIC_READ": READ | GET | 0b1,
        "MQSEC_ENTERPRISE_GENERIC_WRITE": READ | GET | 0b111,
    },
    "MQCNACCESSMASK": {"MQSEC_CN_GENERIC_READ": READ | GET},
}
NUMBERS = {
    "PROVIDER_TYPE": [1, 24],
    "ADDRESS_TYPE": [1, 2, 3, 5, 6],
    "QUEUE_FORMAT_TYPE": [*range(9)],
    "QUEUE_SUFFIX_TYPE": [*range(6)],
    "SectionType": [*range(5)],
    "MESSAGE_CLASS_VALUES": [
        *(0, 1, 2, 0xFF, 0x4000),
        *(0x8000, 0x8001, 0x8002, 0x8003, 0x8004, 0x8005, 0x8006, 0x8007, 0x8009, 0x800A, 0x800B),
        *(0xC000, 0xC001, 0xC002, 0xC004),
    ],
}
"""In the order of the pages."""
ALGORITHMS = {  # class << 13 | type << 9 | number
    "CALG_RSA_SIGN": 1 << 13 | 2 << 9,
    "CALG_RSA_KEYX": 5 << 13 | 2 << 9,
    "CALG_RC2": 3 << 13 | 3 << 9 | 2,
    "CALG_AES_128": 3 << 13 | 3 << 9 | 14,
    "CALG_AES_192": 3 << 13 | 3 << 9 | 15,
    "CALG_AES_256": 3 << 13 | 3 << 9 | 16,
    "CALG_RC4": 3 << 13 | 4 << 9 | 1,
    **{
        f"CALG_{name}": 4 << 13 | number for name, number in (("MD2", 1), ("MD4", 2), ("MD5", 3), ("SHA1", 4))
    },
    "CALG_SHA_256": 4 << 13 | 12,
    "CALG_SHA_512": 4 << 13 | 14,
}


@for_each("name", lambda: NUMBERS)
def test_numbers(name: str) -> None:
    assert list(enumerations()[name].values()) == NUMBERS[name]


def test_algorithms() -> None:
    assert enumerations()["ALG_ID"] == ALGORITHMS


@for_each("name", lambda: BITS)
def test_masks(name: str) -> None:
    """One name for each right, some for several, and one for all of them."""
    assert issubclass(ENUMERATIONS[name], IntFlag)
    members = enumerations()[name]
    single = [number for number in members.values() if number.bit_count() == 1]
    assert single == [1 << bit for bit in BITS[name]]
    (everything,) = (member for member in members if member.endswith("GENERIC_ALL"))
    assert members[everything] == sum(single)
    several = {member: number for member, number in members.items() if number.bit_count() > 1}
    assert several == TOGETHER[name] | {everything: sum(single)}
    rights = [member for member, number in members.items() if number in {SET, GET}]
    assert [right.split("_")[1] for right in rights] == ["SET", "GET"]


def test_all_enumerations_are_there() -> None:
    assert enumerations().keys() == ENUMERATIONS.keys() == {*NUMBERS, *BITS, "ALG_ID"}
    assert all(kind.__name__ == name for name, kind in ENUMERATIONS.items())
