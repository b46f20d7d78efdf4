"""What the package promises as a whole: its names, its silence, its types."""

from __future__ import annotations

import pickle
import subprocess
import sys
import textwrap
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest
from mypy import api
from support_specs import load_vectors

import msmq_wire as mw
from msmq_wire import arrow, captures, crypto, mqcn, mqdsrp, mqmq, mqqb, mqrr, scapy, testing, wireshark
from msmq_wire.records import model as layout

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

DOCUMENTS = [mqmq, mqqb, mqrr, mqdsrp, mqcn]


@pytest.mark.parametrize("module", [mw, *DOCUMENTS], ids=lambda module: module.__name__)
def test_exports_exist_and_are_sorted(module: object) -> None:
    names: list[str] = module.__all__  # type: ignore[attr-defined]  # every module here has it
    assert all(hasattr(module, name) for name in names)
    assert len(names) == len(set(names))
    assert set(names) <= set(dir(module))


@pytest.mark.parametrize(
    "module",
    [
        *(mw, arrow, captures, crypto, scapy, testing, wireshark),
        *(mw.format_names, mw.propid, mw.queue_names, mw.rpc, mw.session),
    ],
    ids=lambda one: one.__name__,
)
def test_completion_lists_public_names(module: ModuleType) -> None:
    assert dir(module) == sorted(module.__all__)


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        mw.nothing  # type: ignore[attr-defined]  # noqa: B018  # the access is the test  # type: ignore[attr-defined]  # on purpose


def test_modules_that_have_to_be_imported() -> None:
    """The error for one that was not imported says what to import."""
    program = "import msmq_wire as mw\nfor name in mw._SEPARATE:\n    try: getattr(mw, name)\n"
    program += "    except AttributeError as error: print(error)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603  # our own
    said = {f"module 'msmq_wire' has no attribute {name!r}: import msmq_wire.{name}" for name in mw._SEPARATE}
    assert set(done.stdout.splitlines()) == said
    assert all(find_spec(f"msmq_wire.{name}") for name in mw._SEPARATE)


def test_every_structure_has_its_class() -> None:
    exported = {name for module in DOCUMENTS for name in module.__all__}
    assert set(layout.structures()) <= exported


PRELOADED = """
import sys
import msmq_wire as mw
mw.preload()
seen = []
def hook(event, args):
    if event in {"open", "import", "os.listdir", "os.scandir"}:
        seen.append((event, str(args[0])))
sys.addaudithook(hook)
for text in sys.argv[1:]:
    data = bytes.fromhex(text)
    for cut in (len(data), len(data) - 1):
        result = mw.decode_lax(data[:cut])
        mw.validate(result)
        mw.explain(data[:cut])
    if mw.decode_lax(data).packet is None:
        continue  # a Ping
    packet = mw.decode(data)
    assert mw.encode(packet) == data
    assert mw.from_dict(mw.to_dict(packet)) == packet
    mw.PacketStream().feed(data)
    mw.validate(packet, "should")
guid = "1" * 8 + "-1111" * 3 + "-" + "1" * 12
header = mw.mqmq.UserHeader(DestinationQueue="DIRECT=OS:host\\\\queue", AdminQueue=f"PUBLIC={guid}")
message = mw.mqmq.UserMessage(UserHeader=header)
message.UserHeader.destination, message.directory_message, message.UserHeader.message_identifier
change = mw.mqdsrp.DirectoryChange(Command=1, PathName="a\\\\b", PropertyID=(103,), PropertyValue=("x",))
propagation = mw.mqdsrp.ChangePropagationMessage(DirectoryChanges=(change,))
assert mw.mqdsrp.decode(propagation.encode()) == propagation
mw.mqdsrp.decode_lax(propagation.encode()[:-3])
mw.explain(propagation)
mw.validate(propagation)
mw.mqdsrp.wrap(propagation, "host", guid).directory_message
mw.mqmq.MQUSERSIGNCERT(Certificate=b"abc")
assert not seen, seen
print("silent")
"""


def test_version() -> None:
    assert mw.__version__ == version("msmq_wire")


def test_version_of_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A frozen program may have the modules without metadata, and `preload` reads the version."""
    asked = []

    def nothing(name: str) -> str:
        asked.append(name)
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", nothing)
    monkeypatch.delitem(vars(mw), "__version__", raising=False)
    assert mw.__version__ == "0+unknown"
    del vars(mw)["__version__"]
    assert asked == ["msmq_wire", "msmq_wire_core"]


def test_decode_takes_a_kind() -> None:
    ping = mqqb.PingPacket(Cookie=7)
    assert mw.decode(ping.encode(), mqqb.PingPacket) == mw.decode(ping.encode(), "PingPacket") == ping
    change = mqdsrp.AlreadyPurgedMessage()
    assert mw.decode(change.encode(), "AlreadyPurgedMessage") == change
    with pytest.raises(ValueError, match="no structure 'Pong'"):
        mw.decode(b"", "Pong")
    with pytest.raises(mw.ConformanceError):
        mw.decode(mqqb.PingPacket(Signature=1).encode(), mqqb.PingPacket, strict=True)


SILENT = """
import sys
sys.dont_write_bytecode = True
allowed_roots = tuple(path or "." for path in sys.path)
seen = []
importing = True
def hook(event, args):
    if event in {"open", "os.listdir", "os.scandir"} and importing:
        path = str(args[0])
        if not (path.startswith(allowed_roots) or path.startswith(sys.base_prefix)):
            seen.append((event, path))
    elif event.partition(".")[0] in {"open", "os", "socket", "subprocess", "shutil", "tempfile", "ctypes"}:
        seen.append((event, str(args)))
    elif event == "import" and args[0].partition(".")[0] in {
        "hypothesis", "numpy", "pyarrow", "pyspark", "cryptography", "pytest"
    }:
        seen.append((event, args[0]))
import threading
import msmq_wire as warm  # the interpreter's own caches are filled once, outside the watch
warm.preload()
for name in [name for name in sys.modules if name.partition(".")[0] == "msmq_wire"]:
    del sys.modules[name]
sys.addaudithook(hook)
import msmq_wire as mw
mw.preload()
from msmq_wire import explain, from_dict, to_dict, validate
importing = False
data = [bytes.fromhex(text) for text in sys.argv[1:]]
for packet_bytes in data:
    result = mw.decode_lax(packet_bytes)
    if result.packet is not None:
        assert mw.encode(mw.decode(packet_bytes)) == packet_bytes
        mw.replace(result.packet, BaseHeader=mw.mqmq.BaseHeader())
        assert mw.PacketStream().feed(packet_bytes) == [result.packet]
        assert from_dict(to_dict(result.packet)) == result.packet
        assert explain(packet_bytes)
        assert isinstance(validate(result.packet, "should"), tuple)
assert not seen, seen
assert threading.active_count() == 1
print("silent")
"""


@pytest.mark.parametrize("program", [SILENT, PRELOADED], ids=["as it is", "preloaded"])
def test_no_input_or_output(program: str) -> None:
    frames = [vector.data.hex() for vector in load_vectors() if vector.section.startswith("[MS-MQQB] 4.1")]
    done = subprocess.run(  # noqa: S603  # our own interpreter and our own text
        [sys.executable, "-c", program, *frames], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("silent\n", "")


LIGHT = """
import sys
import msmq_wire
heavy = {"dissect", "msgspec", "numpy", "pyarrow", "hypothesis", "cryptography"} & set(sys.modules)
assert not heavy, heavy
assert msmq_wire.decode.__module__ == "msmq_wire.packets.packet"
assert "cryptography" not in sys.modules and "hypothesis" not in sys.modules
assert not {"msmq_wire.documents.mqdsrp", "msmq_wire.documents.mqcn"} & set(sys.modules)
for name in ("BSCAckMessage", "NotificationUpdate"):  # their modules come with their names
    assert msmq_wire.decode_lax(b"", name).packet is None
"""


def test_the_package_itself_imports_next_to_nothing() -> None:
    subprocess.run([sys.executable, "-c", LIGHT], check=True)  # noqa: S603  # as above


DECODED = """
import sys
import msmq_wire
message = msmq_wire.decode(bytes.fromhex(sys.argv[1]))
later = ("documents.layouts", "documents.builders", "documents.mqqb", "records.model", "definitions")
assert not {f"msmq_wire.{name}" for name in later} & set(sys.modules)
assert type(msmq_wire.decode(bytes.fromhex(sys.argv[2]))).__name__ == "SessionAck"
assert not {"msmq_wire.documents.layouts", "msmq_wire.records.model"} & set(sys.modules)
assert message.layout.name == "UserMessage" and message.UserHeader.Flags.to_dict()["MP"] == 1
assert msmq_wire.mqmq.UserMessage.of() == msmq_wire.mqmq.UserMessage() == message
"""


def test_a_good_message_is_decoded_with_little() -> None:
    packets = [record.encode().hex() for record in (mqmq.UserMessage(), mqqb.SessionAck())]
    subprocess.run([sys.executable, "-c", DECODED, *packets], check=True)  # noqa: S603  # as above


def test_columns_do_not_import_pandas() -> None:
    text = "import sys, msmq_wire.arrow; print('pyarrow' in sys.modules, 'pandas' in sys.modules)"
    done = subprocess.run(  # noqa: S603  # as above
        [sys.executable, "-c", text], capture_output=True, text=True, check=True
    )
    assert find_spec("pandas"), "where it is not installed, nothing is shown"
    assert done.stdout == "True False\n"


def test_pickles_bring_their_modules() -> None:
    records = [
        mqdsrp.DirectoryChange(PathName="a"),
        mqqb.SessionAck(),
        mqmq.UserMessage(),
        mqrr.MessagePacket(),
    ]
    text = f"import pickle; print(repr(pickle.loads({pickle.dumps(records)!r})))"
    done = subprocess.run(  # noqa: S603  # as above
        [sys.executable, "-c", text], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == repr(records)


DOWNSTREAM = """
import msmq_wire as mw
from msmq_wire import mqdsrp, mqmq

packet = mw.decode(b"")
reveal_type(packet)
assert isinstance(packet, mqmq.UserMessage)
reveal_type(packet.UserHeader.Flags.DQ)
reveal_type(packet.UserHeader.sent_at)
reveal_type(packet.MessagePropertiesHeader.Label)
reveal_type(packet.SecurityHeader)
reveal_type(packet.UserHeader.DestinationQueue)
reveal_type(mqmq.BaseHeader(PacketSize=3))
reveal_type(mw.replace(packet, SessionHeader=mqmq.SessionHeader()))
reveal_type(mqmq.BaseHeader.decode(b""))
reveal_type(mqdsrp.DirectoryChange(PathName="a").SeqNumber)
reveal_type(mw.PacketStream().feed(b""))
mqmq.BaseHeader(PacketSize="three")
mqmq.BaseHeader(Bogus=1)
packet.UserHeader.SentTime = 5
mqmq.UserHeaderFlags(QD=7)
"""

REVEALED = [
    (
        "Union[user_message.UserMessage, mqqb.OrderAck, mqqb.FinalAck, mqqb.SessionAck, "
        "mqqb.EstablishConnection, mqqb.ConnectionParameters]"
    ),
    "int",
    "datetime",
    "str",
    "Union[mqmq.SecurityHeader, None]",
    "Union[mqmq.PrivateQueueFormatNameId, mqmq.PublicQueueFormatName, mqmq.DirectQueueFormatName, None]",
    "mqmq.BaseHeader",
    "user_message.UserMessage",
    "mqmq.BaseHeader",
    "SEQUENCE_NUMBER",
    "list",
]


def _plain(revealed: str) -> str:
    """A type as mypy prints it, without module paths and in the notation of unions that does not change."""
    for prefix in ("builtins.", "datetime.", "msmq_wire.values.sequence_number.", "msmq_wire.", "documents."):
        revealed = revealed.replace(prefix, "")
    if revealed.startswith("list["):
        return "list"
    if " | " in revealed:
        revealed = f"Union[{', '.join(revealed.split(' | '))}]"
    return revealed


@pytest.mark.long
def test_a_strict_user_sees_real_types(tmp_path: Path) -> None:
    program = tmp_path / "downstream.py"
    program.write_text(textwrap.dedent(DOWNSTREAM))
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = True\n")
    config, cache = str(tmp_path / "mypy.ini"), str(tmp_path / "cache")
    out, err, _ = api.run(["--config-file", config, "--cache-dir", cache, str(program)])
    assert err == ""
    notes = [
        line.split('Revealed type is "')[1].rstrip('"') for line in out.splitlines() if "Revealed" in line
    ]
    assert [_plain(note) for note in notes] == REVEALED
    errors = [line for line in out.splitlines() if ": error:" in line]
    expected = ["arg-type", "call-arg", "misc", "call-arg"]
    assert [line.rpartition("[")[2].rstrip("]") for line in errors] == expected, out
