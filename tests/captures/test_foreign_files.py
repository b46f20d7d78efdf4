"""Captures that other programs wrote, counted against capinfos, and numbered as tshark numbers.

A generated capture is only the input of these programs: what is read here is what mergecap, editcap,
text2pcap, reordercap, randpkt, tcpdump, tcprewrite, dumpcap and scapy made of it.
"""

from __future__ import annotations

import gzip
import shutil
import struct
import subprocess
from collections import Counter
from typing import TYPE_CHECKING

import msgspec
import pytest
from support_examples import share

from msmq_wire.captures.engine import run
from msmq_wire.captures.files.reading import ReadLimits, Tally, rows_of
from msmq_wire.captures.files.splits import FileSlice
from msmq_wire.captures.network.frames import Ports, Reason
from msmq_wire.testing.captures import Faults, write_captures

from .test_reading import SEGMENT, block, enhanced, interface, section

if TYPE_CHECKING:
    from pathlib import Path

EVERYTHING = ReadLimits(Ports(None, None))

COMMANDS: dict[str, list[str]] = {
    **{f"editcap -F {form}": ["editcap", "-F", form, "A", "OUT"]
       for form in ("pcap", "nsecpcap", "pcapng", "modpcap", "nokiapcap", "rh6_1pcap", "suse6_3pcap")},
    "editcap range": ["editcap", "-r", "A", "OUT", "5-40", "50"],
    "editcap without": ["editcap", "A", "OUT", "1-9"],
    "editcap -s": ["editcap", "-s", "70", "A", "OUT"],
    "editcap -s 20": ["editcap", "-s", "20", "-F", "pcap", "A", "OUT"],
    "editcap -s 1": ["editcap", "-s", "1", "-F", "pcap", "A", "OUT"],
    "editcap -L": ["editcap", "-L", "-s", "80", "A", "OUT"],
    "editcap -C": ["editcap", "-C", "14", "-T", "rawip", "A", "OUT"],
    "editcap -C L": ["editcap", "-L", "-C", "14", "-T", "rawip", "-F", "pcap", "A", "OUT"],
    "editcap -C from the end": ["editcap", "-C", "-4", "A", "OUT"],
    "editcap -C within": ["editcap", "-C", "58:4", "A", "OUT"],
    "editcap -C twice": ["editcap", "-L", "-C", "-4", "-C", "14", "-T", "rawip", "A", "OUT"],
    "editcap -I": ["editcap", "-I", "20", "-d", "A", "OUT"],
    "editcap -d": ["editcap", "-d", "A", "OUT"],
    "editcap -D": ["editcap", "-D", "50", "A", "OUT"],
    "editcap -w": ["editcap", "-w", "0.01", "A", "OUT"],
    "editcap -t": ["editcap", "-t", "3600.5", "A", "OUT"],
    "editcap -t back": ["editcap", "-t", "-1000000000", "A", "OUT"],
    "editcap -S": ["editcap", "-S", "0.001", "A", "OUT"],
    "editcap -S strict": ["editcap", "-S", "-0.5", "-F", "pcap", "A", "OUT"],
    "editcap -E": ["editcap", "-E", "0.02", "--seed", "7", "A", "OUT"],
    "editcap -E pcap": ["editcap", "-E", "0.5", "--seed", "8", "-F", "pcap", "A", "OUT"],
    "editcap -E -o": ["editcap", "-E", "0.1", "--seed", "9", "-o", "34", "A", "OUT"],
    "editcap -a": ["editcap", "-a", "3:a comment of a frame", "A", "OUT"],
    "editcap --capture-comment": ["editcap", "--capture-comment", "of the section", "A", "OUT"],
    "editcap --discard-all-secrets": ["editcap", "--discard-all-secrets", "A", "OUT"],
    "editcap --inject-secrets": ["editcap", "--inject-secrets", "tls,KEYS", "A", "OUT"],
    "editcap -A -B": ["editcap", "-A", "2000-01-01T00:00:00", "-B", "2037-01-01T00:00:00", "A", "OUT"],
    "editcap --novlan": ["editcap", "--novlan", "A", "OUT"],
    "editcap -T raw": ["editcap", "-T", "rawip", "-C", "14", "-F", "nsecpcap", "A", "OUT"],
    "editcap -T ppp": ["editcap", "-T", "ppp", "A", "OUT"],
    "editcap -T linux-sll": ["editcap", "-T", "linux-sll", "A", "OUT"],
    "editcap -T user0": ["editcap", "-T", "user0", "-F", "pcap", "A", "OUT"],
    "mergecap": ["mergecap", "-w", "OUT", "A", "B"],
    "mergecap -a": ["mergecap", "-a", "-w", "OUT", "A", "B"],
    "mergecap pcap": ["mergecap", "-F", "pcap", "-w", "OUT", "A", "B"],
    "mergecap nsecpcap": ["mergecap", "-F", "nsecpcap", "-w", "OUT", "A", "B"],
    **{f"mergecap -F {form}": ["mergecap", "-F", form, "-w", "OUT", "A", "B"]
       for form in ("modpcap", "nokiapcap")},
    "mergecap of link types": ["mergecap", "-w", "OUT", "RAW", "PPP", "A"],
    "mergecap -s": ["mergecap", "-s", "66", "-w", "OUT", "A", "B"],
    "mergecap -I none": ["mergecap", "-I", "none", "-w", "OUT", "A", "B"],
    "mergecap -I all": ["mergecap", "-I", "all", "-w", "OUT", "A", "B"],
    "mergecap -I any": ["mergecap", "-I", "any", "-w", "OUT", "A", "B"],
    "mergecap of forms": ["mergecap", "-w", "OUT", "A", "NANO", "RAW"],
    "mergecap thrice": ["mergecap", "-a", "-w", "OUT", "A", "A", "A"],
    "reordercap": ["reordercap", "SHUFFLED", "OUT"],
    "reordercap -n": ["reordercap", "-n", "SHUFFLED", "OUT"],
    "tshark filter": ["tshark", "-r", "A", "-Y", "tcp", "-w", "OUT"],
    "tshark pcap": ["tshark", "-r", "A", "-F", "pcap", "-w", "OUT"],
    "tshark --compress": ["tshark", "-r", "A", "-w", "OUT", "--compress", "gzip"],
    "tshark -F": ["tshark", "-r", "A", "-F", "nsecpcap", "-Y", "frame.number > 9", "-w", "OUT"],
    "tshark -c": ["tshark", "-r", "A", "-c", "17", "-w", "OUT"],
    "tshark -W n": ["tshark", "-r", "A", "-N", "n", "-W", "n", "-w", "OUT"],
    "tcpdump": ["tcpdump", "-r", "A", "-w", "OUT"],
    "tcpdump nano": ["tcpdump", "--time-stamp-precision=nano", "-r", "NANO", "-w", "OUT"],
    "tcpdump one way": ["tcpdump", "-r", "A", "-w", "OUT", "dst", "port", "1801"],
    "tcpdump later": ["tcpdump", "-r", "A", "-w", "OUT", "tcp[tcpflags] & tcp-syn == 0"],
    "tcpdump filter": ["tcpdump", "-r", "A", "-w", "OUT", "port", "1801"],
    "tcpdump -c": ["tcpdump", "-r", "A", "-c", "9", "-w", "OUT"],
    "text2pcap": ["text2pcap", "TEXT", "OUT"],
    "text2pcap -n": ["text2pcap", "-n", "TEXT", "OUT"],
    "text2pcap -T": ["text2pcap", "-T", "1801,50000", "TEXT", "OUT"],
    "text2pcap -u": ["text2pcap", "-u", "3527,3527", "TEXT", "OUT"],
    "text2pcap -6": ["text2pcap", "-6", "fe80::1,fe80::2", "-T", "1801,50000", "TEXT", "OUT"],
    "text2pcap -i": ["text2pcap", "-4", "10.0.0.1,10.0.0.2", "-i", "113", "TEXT", "OUT"],
    "text2pcap -s": ["text2pcap", "-s", "1,2,3", "TEXT", "OUT"],
    "text2pcap -F": ["text2pcap", "-F", "nsecpcap", "-S", "1801,1801,3", "TEXT", "OUT"],
    "text2pcap -m": ["text2pcap", "-m", "9", "TEXT", "OUT"],
    "text2pcap -e": ["text2pcap", "-e", "0x86dd", "-o", "hex", "TEXT", "OUT"],
    "text2pcap -l": ["text2pcap", "-l", "101", "TEXT", "OUT"],
    **{f"randpkt {kind}": ["randpkt", "-b", "300", "-c", "50", "-t", kind, "OUT"]
       for kind in ("arp", "bgp", "dns", "eth", "fddi", "icmp", "ieee802.15.4", "ip", "ipv6", "llc", "sctp",
                    "tcp", "tds", "tr", "udp", "usb-linux")},
    "tcprewrite --portmap": ["tcprewrite", "--portmap=1801:1802", "--infile=PCAP", "--outfile=OUT"],
    "tcprewrite --seed": ["tcprewrite", "--seed=7", "--infile=PCAP", "--outfile=OUT"],
    "tcprewrite --mtu-trunc": ["tcprewrite", "--mtu=300", "--mtu-trunc", "--infile=PCAP", "--outfile=OUT"],
    "tcprewrite --enet-vlan": [
        "tcprewrite", "--enet-vlan=add", "--enet-vlan-tag=9", "--enet-vlan-cfi=0", "--enet-vlan-pri=1",
        "--infile=PCAP", "--outfile=OUT",
    ],
    **{f"tcprewrite {words}": ["tcprewrite", *words.split(), "--infile=PCAP", "--outfile=OUT"]
       for words in (
           "--fixlen=pad", "--fixlen=trunc", "--fixlen=del", "--ttl=3 --tos=4",
           "--enet-dmac=00:11:22:33:44:55", "--pnat=10.0.0.0/8:192.168.0.0/16",
           "--fuzz-seed=5 --fuzz-factor=3", "--portmap=1801:443 --fixcsum",
           "--dlt=user --user-dlt=9 --user-dlink=ff,03,00,21",
       )},
    **{f"tcprewrite {words}": ["tcprewrite", *words.split(), "--infile=VLAN", "--outfile=OUT"]
       for words in (
           "--enet-vlan=del", "--efcs", "--tcp-sequence=5", "--enet-mac-seed=7", "--mtu=60 --mtu-trunc",
           "--enet-smac=45:00:00:2a:00:00 --enet-dmac=60:00:00:00:00:14", "--fuzz-seed=7 --fuzz-factor=2",
           "--enet-vlan=add --enet-vlan-tag=7 --enet-vlan-cfi=0 --enet-vlan-pri=1 --enet-vlan-proto=802.1ad",
           "--dlt=user --user-dlt=0 --user-dlink=02,00,00,00",
           "--dlt=user --user-dlt=113 --user-dlink=00,00,00,01,00,06,02,00,00,00,00,01,00,00,08,00",
           "--dlt=user --user-dlt=147 --user-dlink=aa,bb",
       )},
    **{f"editcap -T {kind}": ["editcap", "-T", kind, "A", "OUT"]
       for kind in ("chdlc", "fddi", "ieee-802-11", "linux-sll2", "loop", "null", "rawip")},
    "editcap -T ether": ["editcap", "-T", "ether", "RAW", "OUT"],
    "editcap -T ether pcap": ["editcap", "-T", "ether", "-F", "pcap", "RAW", "OUT"],
    "editcap of tags": ["editcap", "-C", "14", "-T", "rawip4", "VLAN", "OUT"],
    "editcap -E tags": ["editcap", "-E", "0.01", "--seed", "3", "-F", "pcap", "VLAN", "OUT"],
    "editcap without time": ["editcap", "-S", "-0", "A", "OUT"],
    "editcap before 1970": ["editcap", "-t", "-1800000000", "A", "OUT"],
    "mergecap of tags": ["mergecap", "-w", "OUT", "RAW", "PPP", "VLAN", "NANO"],
    "mergecap -a of link types": ["mergecap", "-a", "-w", "OUT", "RAW", "VLAN", "A"],
    "mergecap -I all of link types": ["mergecap", "-I", "all", "-w", "OUT", "RAW", "VLAN"],
    "tshark modpcap": ["tshark", "-r", "A", "-F", "modpcap", "-w", "OUT"],
    "tcpdump vlan": ["tcpdump", "-r", "VLAN", "-w", "OUT", "vlan"],
    "tcpdump -s": ["tcpdump", "-r", "PCAP", "-s", "100", "-w", "OUT"],
    "tcpdump of raw": ["tcpdump", "-r", "RAW", "-w", "OUT"],
    **{f"text2pcap {words}": ["text2pcap", *words.split(), "FRAMES", "OUT"]
       for words in ("-D", "-F pcap", "-l 101", "-F pcap -l 113", "-l 147")},
    "tcprewrite --fixcsum": ["tcprewrite", "--fixcsum", "--infile=PCAP", "--outfile=OUT"],
    "tcprewrite --dlt": [
        "tcprewrite", "--dlt=hdlc", "--hdlc-control=0", "--hdlc-address=0x0f",
        "--infile=PCAP", "--outfile=OUT",
    ],
}  # fmt: skip
"""The options of each program; words in capitals are files that `inputs` makes."""


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the programs read."""
    place = tmp_path_factory.mktemp("inputs")
    needs("editcap", "capinfos", "tshark")
    faults = msgspec.structs.replace(Faults.all(), bend=0.0)  # to bend messages takes half a second
    for name, seed in (("A", 3), ("B", 4)):
        done = write_captures(place / name.lower(), 60, seed=seed, faults=faults, files=1, form="pcapng")
        shutil.copy(done.captures[0], place / name)
    (place / "KEYS").write_text("CLIENT_RANDOM " + "ab" * 32 + " " + "cd" * 48 + "\n")
    lines = [f"{at:06x} " + " ".join(["10 c0 0b 00"] * 4) for at in (0, 16, 0, 0, 16)]
    (place / "TEXT").write_text("\n".join(lines))
    for name, words in {
        "PCAP": ["-F", "pcap", "A", "PCAP"], "NANO": ["-F", "nsecpcap", "A", "NANO"],
        "RAW": ["-C", "14", "-T", "rawip", "A", "RAW"], "LATE": ["-t", "900", "A", "LATE"],
        "PPP": ["-T", "ppp", "A", "PPP"],
    }.items():  # fmt: skip
        done_by(place, ["editcap", *words], name)
    if shutil.which("tcprewrite") is not None:
        tag = ["--enet-vlan=add", "--enet-vlan-tag=9", "--enet-vlan-cfi=0", "--enet-vlan-pri=1"]
        done_by(place, ["tcprewrite", *tag, "--infile=PCAP", "--outfile=VLAN"], "VLAN")
    (place / "FRAMES").write_text(told_by("tshark", "-r", str(place / "A"), "-x", "-c", "40"))
    done_by(place, ["mergecap", "-a", "-w", "SHUFFLED", "LATE", "A"], "SHUFFLED")
    done_by(place, ["mergecap", "-w", "LONG", "LATE", "A"], "LONG")
    return place


def needs(*programs: str) -> None:
    """Skip the test where a program is not installed."""
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")


def done_by(place: Path, words: list[str], out: str) -> Path:
    """Run a program in the folder of its inputs."""
    needs(words[0])
    done = subprocess.run(words, cwd=place, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return place / out


def told_by(*words: str) -> str:
    """What a program writes to standard output."""
    return subprocess.run(words, capture_output=True, text=True, timeout=600, check=True).stdout


def capinfos(path: Path) -> tuple[int, int]:
    """The frames of a file, and their bytes on the wire."""
    _, frames, size = told_by("capinfos", "-T", "-r", "-c", "-d", str(path)).split("\t")
    return int(frames), int(size)


def tally_of(path: Path) -> Tally:
    """The frames of a file as they are counted here."""
    tally = Tally()
    rows = [*rows_of(FileSlice(str(path), "auto", 0, path.stat().st_size), EVERYTHING, tally)]
    assert not [row for row in rows if row[-1] and "passed over" in row[-1]]
    return tally


@pytest.mark.each(36)
@pytest.mark.parametrize("name", [*COMMANDS][:: 2 // share(2)])
def test_files_of_other_programs(name: str, inputs: Path) -> None:
    """Each frame that capinfos counts is counted once, in a file, packed, and in the tables."""
    words = ["result" if word == "OUT" else word.replace("=OUT", "=result") for word in COMMANDS[name]]
    path = done_by(inputs, words, "result")
    frames, _ = capinfos(path)
    assert frames > 0
    assert sum(tally_of(path).frames.values()) == frames
    packed = inputs / "result.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert tally_of(packed).frames == tally_of(path).frames
    counted: Counter[str] = Counter()
    for table, batch in run([str(path)], ["frames"]):
        assert table == "frames"
        for row in batch.to_pylist():
            counted[row["reason"]] += row["frames"]
    assert counted.total() == frames


@pytest.mark.each(12)
@pytest.mark.parametrize(
    "name", [name for name in COMMANDS if not name.startswith("randpkt")][:: 6 // share(6)]
)
def test_numbers_in_files_of_other_programs(name: str, inputs: Path) -> None:
    """Frames with ports of TCP or UDP have the numbers and ports that tshark tells.

    It shows the ports of frames that are cut or whose sizes contradict each other, too, and believes the link
    type that a file states.
    """
    words = ["result" if word == "OUT" else word.replace("=OUT", "=result") for word in COMMANDS[name]]
    path = done_by(inputs, words, "result")
    tally = Tally()
    rows = [*rows_of(FileSlice(str(path), "auto", 0, path.stat().st_size), EVERYTHING, tally)]
    if any("are read so" in (row[-1] or "") for row in rows):
        assert tally.frames[Reason.READ, ""] > 0
        return
    fields = [
        word for name in ("tcp.srcport", "tcp.dstport", "udp.srcport", "udp.dstport") for word in ("-e", name)
    ]
    told = told_by(
        *("tshark", "-n", "-r", str(path), "-o", "ip.defragment:FALSE"),
        *("-Y", "(tcp or udp) and not icmp and not icmpv6", "-T", "fields", "-E", "occurrence=l"),
        *("-e", "frame.number", *fields),
    )
    theirs = {
        int(number): (source, destination) if source else (udp_source, udp_destination)
        for number, source, destination, udp_source, udp_destination in map(_cells, told.splitlines())
    }
    ours = {row[1]: (str(row[6]), str(row[8])) for row in rows if row[-1] is None}
    assert ours.keys() <= theirs.keys()
    if not {reason for reason, _ in tally.frames} & {Reason.DAMAGED, Reason.CUT}:
        assert ours == theirs


def _cells(line: str) -> list[str]:
    return line.split("\t")


FORMS = (
    *("5views", "k12text", "lanalyzer", "netmon1", "netmon2", "nettl"),
    *("ngsniffer", "ngwsniffer_1_1", "ngwsniffer_2_0", "snoop", "visual"),
)
"""Formats of captures of Ethernet that editcap writes, and that are not read."""


@pytest.mark.each(3)
@pytest.mark.parametrize("form", FORMS)
def test_the_command_that_converts_a_file(form: str, inputs: Path, tmp_path: Path) -> None:
    """The command that the error names gives a capture with the same frames, which is read."""
    path = tmp_path / "foreign"
    done_by(inputs, ["editcap", "-F", form, "PCAP", str(path)], "PCAP")
    (row,) = rows_of(FileSlice(str(path), "auto", 0, path.stat().st_size), EVERYTHING)
    _, found, command = row[-1].partition("which is not read; convert it with: ")
    assert found, row[-1]
    done_by(tmp_path, [word.replace("FILE", path.name) for word in command.split()], path.name)
    result = tmp_path / f"{path.name}.pcapng"
    assert tally_of(result).frames == tally_of(inputs / "PCAP").frames


@pytest.mark.each(4)
@pytest.mark.parametrize("options", [["-c", "25"], ["-i", "300"]])
@pytest.mark.parametrize("form", ["pcap", "pcapng"])
def test_files_that_were_split(options: list[str], form: str, inputs: Path, tmp_path: Path) -> None:
    """By count and by time: the parts have what the whole has, file by file, and read together."""
    done_by(inputs, ["editcap", "-F", form, *options, "LONG", str(tmp_path / "part")], "LONG")
    parts = sorted(tmp_path.iterdir())
    assert len(parts) > 1
    assert [sum(tally_of(path).frames.values()) for path in parts] == [capinfos(path)[0] for path in parts]
    assert sum(capinfos(path)[0] for path in parts) == capinfos(inputs / "LONG")[0]


@pytest.mark.parametrize("options", [["-b", "packets:20"], ["-b", "filesize:9"], ["-P", "-b", "filesize:9"]])
def test_files_of_a_ring(options: list[str], inputs: Path, tmp_path: Path) -> None:
    """Files between which dumpcap changes while it captures from a pipe."""
    needs("dumpcap")
    words = ["dumpcap", "-q", "-i", "-", *options, "-w", str(tmp_path / "ring.pcapng")]
    with (inputs / "PCAP").open("rb") as pipe:
        subprocess.run(words, stdin=pipe, capture_output=True, timeout=600, check=True)
    parts = sorted(tmp_path.iterdir())
    assert len(parts) > 2
    assert [sum(tally_of(path).frames.values()) for path in parts] == [capinfos(path)[0] for path in parts]


@pytest.mark.parametrize("kind", ["pcap", "nano", "big", "pcapng", "gz", "append"])
def test_files_of_scapy(kind: str, tmp_path: Path) -> None:
    needs("capinfos")
    utils = pytest.importorskip("scapy.utils")
    layers = pytest.importorskip("scapy.layers.l2")
    ip = pytest.importorskip("scapy.layers.inet")
    begin = layers.Ether() / ip.IP(dst="10.0.0.9")
    frames = [begin / ip.TCP(dport=1801, sport=size) / bytes(size) for size in range(1, 40)]
    path = tmp_path / "made"
    if kind == "pcapng":
        utils.wrpcapng(str(path), frames)
    elif kind == "append":
        utils.wrpcap(str(path), frames[:9])
        utils.wrpcap(str(path), frames[9:], append=True)
    else:
        utils.wrpcap(
            str(path), frames, nano=kind == "nano", endianness=">" if kind == "big" else "<", gz=kind == "gz"
        )
    assert sum(tally_of(path).frames.values()) == capinfos(path)[0] == 39


EVENT = struct.pack("<HQQIHI", 0, 1, 2, 26, 3, 0) + bytes(40)
BLOCKS = {
    "custom": block(0xBAD, struct.pack("<I", 32473) + b"abcd"),
    "custom, not copied": block(0x4000_0BAD, struct.pack("<I", 32473) + b"abcd"),
    "custom, without data": block(0xBAD, struct.pack("<I", 32473)),
    "systemd journal": block(9, b"__REALTIME_TIMESTAMP=1600000000000000\nMESSAGE=abcd\n\n"),
    **{f"sysdig {kind:#x}": block(kind, EVENT + bytes(-len(EVENT) % 4))
       for kind in (0x201, 0x202, 0x204, 0x208, 0x215, 0x216, 0x217, 0x221, 0x222)},
    "names": block(4, struct.pack("<HH", 0, 0)),
    "statistics": block(5, struct.pack("<III", 0, 0, 0)),
    "secrets": block(10, struct.pack("<II", 0x544C534B, 4) + b"abcd"),
    "IRIG": block(7, bytes(20)),
    "ARINC": block(8, bytes(20)),
    "hone": block(0x101, bytes(20)),
    "unknown": block(0x12345, bytes(8)),
    "local": block(0x8000_0001, bytes(8)),
    "interface": interface(),
    "section": section() + interface(),
    "old packet": block(2, struct.pack("<HHIIII", 0, 0, 395_812, 5, 60, 60) + bytes(60)),
    "simple packet": block(3, struct.pack("<I", 60) + bytes(60)),
}  # fmt: skip


@pytest.mark.each(2)
@pytest.mark.parametrize("count", [2, 1])
def test_numbers_behind_other_blocks(count: int, tmp_path: Path) -> None:
    """The frame behind each kind of block has the number that tshark gives it; so behind two."""
    needs("tshark")
    path = tmp_path / "blocks.pcapng"
    parts = [enhanced(bytes(12) + b"\x08\x06" + bytes(46)), enhanced(SEGMENT)]
    blocks = [part for other in BLOCKS.values() for part in (parts[0], other * count, parts[1])]
    path.write_bytes(section() + interface() + b"".join(blocks))
    told = told_by(
        *("tshark", "-r", str(path), "-Y", "tcp.port==1801", "-T", "fields", "-e", "frame.number")
    ).split()
    rows = rows_of(FileSlice(str(path), "auto", 0, path.stat().st_size), EVERYTHING)
    assert [row[1] for row in rows if row[-1] is None] == [*map(int, told)]
    assert len(told) == len(BLOCKS)


def test_numbers_in_a_foreign_file(inputs: Path) -> None:
    """The frames of segments to MSMQ's port, in a file that mergecap wrote, are those that tshark finds."""
    path = done_by(inputs, ["mergecap", "-a", "-w", "MERGED", "A", "NANO", "B"], "MERGED")
    words = ["tshark", "-r", str(path), "-Y", "arp or udp.port==3527", "-T", "fields", "-e", "frame.number"]
    told = subprocess.run(words, capture_output=True, text=True, timeout=600, check=True).stdout
    limits = ReadLimits(Ports(frozenset(), frozenset({3527})))
    rows = [
        row
        for row in rows_of(FileSlice(str(path), "auto", 0, path.stat().st_size), limits)
        if row[4] == "udp"
    ]
    assert rows
    assert {row[1] for row in rows} <= {int(number) for number in told.split()}
