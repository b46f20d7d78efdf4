"""The page in a headless Chromium, with the wheel of this tree: a real packet, a capture, a change.

Where a package registry is missing these tests are skipped and say so.
"""

from __future__ import annotations

import functools
import http.server
import importlib.util
import re
import subprocess
import threading
import tomllib
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from playwright.sync_api import sync_playwright
from support_browser import CHROMIUM, OPTIONS
from support_by_hand import A, Capture
from support_specs import SPECS, load_tcp_packets

import msmq_wire as mw
from msmq_wire import captures, mqmq, mqrr

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [
    pytest.mark.long,
    pytest.mark.needs("chromium|google-chrome", "npm"),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]

PUBLISHED = tomllib.loads((SPECS / "vectors" / "published.toml").read_text(encoding="utf-8"))["published"]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files with the types that browsers ask for."""

    extensions_map = {  # noqa: RUF012  # as its base has it
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".wasm": "application/wasm",
        ".mjs": "text/javascript",
    }

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # its name there
        pass


HANGS = 1_800_000
"""After so many milliseconds a page hangs; its beginning alone takes ten seconds of processor time."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    spec = importlib.util.spec_from_file_location("build", SPECS.parent / "docs" / "browser" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        folder = module.build(tmp_path_factory.mktemp("page"))
    except subprocess.CalledProcessError as error:
        pytest.skip(f"{error.cmd[0]} could not bring what the page needs: {error.stderr.decode()[-200:]}")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=[*OPTIONS])
        yield opened
        opened.close()


class Loaded(NamedTuple):
    """The page, the addresses that it asked for, and its errors."""

    page: Any
    asked: list[str]
    errors: list[str]


@pytest.fixture(scope="module")
def loaded(address: str, browser: Any) -> Iterator[Loaded]:
    """The page in a narrow window; once it can explain, it is without a network."""
    context = browser.new_context(viewport={"width": 390, "height": 800})
    context.set_default_timeout(HANGS)
    page = context.new_page()
    result = Loaded(page, [], [])
    page.on("request", lambda request: result.asked.append(request.url))
    page.on("pageerror", lambda error: result.errors.append(str(error)))
    page.goto(f"{address}/index.html")
    page.locator("#explain:enabled").wait_for()
    context.set_offline(True)
    yield result
    context.close()


def test_page(address: str, loaded: Loaded, tmp_path: Path) -> None:
    page, asked, errors = loaded
    packets = load_tcp_packets()
    message = next(data for name, data in packets.items() if b"mqsender" in data.replace(b"\0", b""))
    page.fill("#hex", message.hex(" "))
    page.click("#explain")
    assert page.inner_text("#status") == "1 packet."
    assert "UserMessage" in page.locator("#packets option").first.inner_text()
    assert '"mqsender label"' in page.inner_text("#listing")
    assert page.inner_text("#violations") == "None."
    assert page.locator("#changing").is_visible()

    page.select_option("#field", "UserHeader.MessageID")
    page.fill("#value", "0x11223344")
    page.click("#change")
    assert page.locator("#bytes mark").all_inner_texts() == ["44", "33", "22", "11"]
    page.fill("#value", "seven")
    page.click("#change")
    assert "seven" in page.inner_text("#problem")

    page.fill("#hex", "10000300 4c494f52 0f000000")
    page.click("#explain")
    assert "cannot be read" in page.inner_text("#violations")

    huge = mw.replace(mw.decode(message), {"MessagePropertiesHeader.MessageSize": 0xFFFF_FFFF})
    page.fill("#hex", huge.encode().hex())  # Python has 32 bits here
    page.click("#explain")
    assert "cannot be read" in page.inner_text("#violations")
    assert "MessageSize" in page.inner_text("#listing")

    file = tmp_path / "two.bin"
    file.write_bytes(b"".join(packets.values()))
    page.set_input_files("#file", file)
    page.get_by_text(f"{len(packets)} packets.").wait_for()
    assert page.locator("#packets option").count() == len(packets)

    assert page.locator("html").evaluate("element => element.scrollWidth") == 390
    assert all(url.startswith((address, "data:")) for url in asked)
    assert errors == []


@pytest.mark.parametrize("text", ["one\ntwo", "one\r\ntwo", "one\rtwo\r\nthree\n"])
def test_line_breaks_of_a_value(loaded: Loaded, text: str) -> None:
    """A value that is not edited stays as it is; new lines of another end as its own do."""
    page = loaded.page
    packet = mqmq.UserMessage.of(DestinationQueue="DIRECT=OS:server\\orders", Label=text)
    page.fill("#hex", packet.encode().hex())
    page.click("#explain")
    page.select_option("#field", "MessagePropertiesHeader.Label")
    page.click("#change")
    assert page.locator("#bytes mark").count() == 0
    page.locator("#value").press("Control+Home")
    page.locator("#value").press("0")
    page.check("#compute")
    page.click("#change")
    page.uncheck("#compute")
    label = mqmq.UserMessage.decode(bytes.fromhex(page.inner_text("#bytes"))).label
    assert label == "0" + ("one\r\ntwo\r\nthree\r\n" if "three" in text else text)


@pytest.mark.parametrize(
    "fault", ["void Promise.reject(new Error('broken'))", "setTimeout(() => { throw new Error('broken') })"]
)
def test_a_fault_of_the_page(loaded: Loaded, fault: str) -> None:
    """It is told, and what was there before is hidden."""
    page, _, errors = loaded
    page.fill("#hex", mw.mqqb.SessionAck().encode().hex())
    page.click("#explain")
    assert page.locator("#found").is_visible()
    page.evaluate(f"() => {{ {fault}; }}")
    page.get_by_text("broken").wait_for()
    assert "This page has a fault" in page.inner_text("#status")
    assert not page.locator("#found").is_visible()
    errors.clear()


def test_capture(loaded: Loaded, tmp_path: Path) -> None:
    from msmq_wire.testing.captures import write_captures  # noqa: PLC0415  # with the others' extras

    written = write_captures(tmp_path, packets=60, seed=5, files=1)
    page = loaded.page
    page.set_input_files("#file", written.captures[0])
    count = written.packets + written.pings
    page.get_by_text(f"{count} packets.").wait_for()
    lines = page.locator("#packets option").all_inner_texts()
    assert len(lines) == count
    form = re.compile(
        r"\d+: [A-Z]\w+, [\d,]+ bytes, (?:'.*', )?(2023-11-14 22:13:2\d\.\d{6}), .+:\d+ > .+:\d+"
    )
    matches = [form.fullmatch(line) for line in lines]
    times = [match[1] for match in matches if match is not None]
    assert len(times) == count
    assert times == sorted(times)
    assert any("'" in line for line in lines)


def test_an_unreadable_packet_opens(loaded: Loaded, tmp_path: Path) -> None:
    """It is in the list, with its fields before the damage, the reason, and what it violates."""
    over_http: dict[str, Any] = {
        "SRMPEnvelopeHeader": mqrr.SRMPEnvelopeHeader(Data="<se:Envelope/>"),
        "CompoundMessageHeader": mqrr.CompoundMessageHeader(),
    }
    message = bytearray(mw.encode(mqmq.UserMessage.of(MessageBody=b"order", **over_http)))
    length = message.index("<se".encode("utf-16-le")) - 4
    message[length : length + 4] = (0x7FFF_FFFF).to_bytes(4, "little")
    file = tmp_path / "one.bin"
    file.write_bytes(message)
    page = loaded.page
    page.set_input_files("#file", file)
    page.get_by_text("1 packet.").wait_for()
    assert "unreadable UserMessage" in page.locator("#packets option").first.inner_text()
    assert "It cannot be read whole" in page.inner_text("#violations")
    assert "MQMQ-2.2.19.2-31" in page.inner_text("#violations")
    assert "DataLength" in page.inner_text("#listing")
    assert page.locator("#changing").is_hidden()
    for line in page.locator("#listing .error").all():  # the reason can be read without scrolling
        box = line.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 390


def test_published_packets(loaded: Loaded, tmp_path: Path) -> None:
    """Each in a connection of its own: the page says of them what the tables say, also if unreadable."""
    path = tmp_path / "a.pcap"
    talks = [Capture(client=A._replace(port=50_000 + number)).open() for number in range(len(PUBLISHED))]
    for talk, row in zip(talks, PUBLISHED, strict=True):
        talk.send(bytes.fromhex(row["hex"])).close()
    for talk in talks[1:]:
        talks[0].join(talk)
    path.write_bytes(talks[0].data)
    names = ("packets", "violations")
    tables = captures.tables(path, names, captures.Settings(level="should"))
    packets, violations = (tables[name].read_all().to_pylist() for name in names)
    page = loaded.page
    page.set_input_files("#file", path)
    page.get_by_text(f"{len(packets)} packets.").wait_for()
    for number, packet in enumerate(sorted(packets, key=lambda row: row["time"])):
        page.select_option("#packets", index=number)
        lines = page.locator("#violations li").all_inner_texts()
        assert any("cannot be read whole" in line for line in lines) is packet["partial"]
        told = {line.rpartition("(")[2].partition(",")[0] for line in lines if "(M" in line}
        own = {row["requirement"] for row in violations if row["first_frame"] == packet["first_frame"]}
        assert told == {name for name in own if not name.startswith(("MQQB-3.1.5.1.3", "MQQB-3.1.5.8"))}
        assert page.locator("html").evaluate("element => element.scrollWidth") == 390
