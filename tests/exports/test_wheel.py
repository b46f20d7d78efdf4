"""What readers in other languages are given lies in the wheel and is attached to releases."""

from __future__ import annotations

import tomllib

from support_specs import SPECS

ROOT = SPECS.parent


def test_data_of_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    names = {"vectors.json.gz", "vectors.schema.json", "layouts.json", "layouts.schema.json", "msmq.ksy"}
    assert {source: ROOT / source for source in included} == {f"specs/{name}": SPECS / name for name in names}
    assert all((ROOT / source).stat().st_size for source in included)
    assert set(included.values()) == {f"msmq_wire/data/{name}" for name in names}


def test_files_of_a_release() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    (line,) = (line for line in text.splitlines() if "gh release upload" in line)
    files = [word for word in line.split() if "/" in word]
    assert len(files) == 6
    assert all((ROOT / name).is_file() for name in files)
