"""Where the dissector lies, and putting it where Wireshark looks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support_wireshark import TSHARK

from msmq_wire.cli import main
from msmq_wire.cli.output import Status
from msmq_wire.wireshark import install, path, plugin_folder


def test_path(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wireshark", "--path"]) == 0
    assert Path(capsys.readouterr().out.strip()) == path()
    assert path().read_text("utf-8").startswith("-- Message Queuing (MSMQ) for Wireshark")


def test_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(sys, "platform", "linux")
    for _ in range(2):  # an older copy is replaced
        assert main(["wireshark", "--install"]) == 0
    target = tmp_path / ".local" / "lib" / "wireshark" / "plugins" / "msmq.lua"
    assert capsys.readouterr().out.splitlines() == [str(target)] * 2
    assert target.read_bytes() == path().read_bytes()
    if TSHARK:  # that is where it looks
        shown = subprocess.run(
            [TSHARK, "-G", "folders"], capture_output=True, text=True, check=True, env={"HOME": str(tmp_path)}
        ).stdout
        assert f"\t{target.parent}\n" in shown


def test_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.delenv("WIRESHARK_CONFIG_DIR", raising=False)
    monkeypatch.setenv("APPDATA", str(tmp_path))
    assert plugin_folder() == tmp_path / "Wireshark" / "plugins"
    monkeypatch.setenv("WIRESHARK_CONFIG_DIR", str(tmp_path / "own"))
    assert plugin_folder() == tmp_path / "own" / "plugins"


def test_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(OSError, match="file"):
        install(file)
    monkeypatch.setattr("msmq_wire.wireshark.plugin_folder", lambda: file)
    assert main(["wireshark", "--install"]) == int(Status.UNWRITABLE)
    assert capsys.readouterr().err.count("\n") == 1
    assert main(["wireshark"]) != 0
    assert "either --path or --install" in capsys.readouterr().err
