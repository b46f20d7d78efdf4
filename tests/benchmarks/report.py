"""Tables for readers, JSON for programs, a plot for the eye."""

from __future__ import annotations

import platform
from importlib import metadata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from .sections import Table

__all__ = ["markdown", "plain", "plot"]

_SHOWN = ("dissect.cstruct", "msgspec", "construct", "kaitaistruct", "scapy", "impacket")
_LABELS = {
    "cstruct": "dissect.cstruct",
    "construct": "construct, compiled",
    "kaitai": "Kaitai Struct",
    "impacket": "impacket.structure",
}


def plain(tables: list[Table]) -> dict[str, Any]:
    """All results as JSON's own types: seconds, and ratios to the base."""
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "versions": {name: metadata.version(name) for name in _SHOWN},
        "tables": {
            table.name: {
                "title": table.title,
                "base": table.base,
                "goals": dict(table.goals),
                "rows": {
                    row: {who: result._asdict() for who, result in results.items()}
                    for row, results in table.rows.items()
                },
            }
            for table in tables
        },
    }


def _cell(result: Any, unit: float, *, is_base: bool) -> str:
    if result is None:
        return ""
    time = f"{result.seconds * unit:,.2f}" if result.seconds * unit < 100 else f"{result.seconds * unit:,.0f}"
    if result.ratio is None or is_base:
        return time
    return f"{time} ({result.ratio:.2f})" if result.ratio < 10 else f"{time} ({result.ratio:,.0f})"


def markdown(tables: list[Table]) -> str:
    """Every table as Markdown."""
    parts = []
    for table in tables:
        names = list(dict.fromkeys(who for row in table.rows.values() for who in row))
        unit, per_second = table.unit
        note = f"; in brackets the ratio to {table.base}" if table.base else ""
        goal = " | goal |" if table.goals else " |"
        head = f"| | {' | '.join(_LABELS.get(name, name) for name in names)}{goal}"
        lines = [f"## {table.title}", "", f"Times in {unit}{note}.", "", head]
        lines.append("|---|" + "---:|" * (len(names) + bool(table.goals)))
        for row, results in table.rows.items():
            cells = [_cell(results.get(name), per_second, is_base=name == table.base) for name in names]
            if table.goals:
                wanted = table.goals.get(row, 0) * (1 if table.base else per_second)
                cells.append(f"{wanted:g}" if wanted else "")
            lines.append(f"| {row} | {' | '.join(cells)} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def plot(tables: list[Table], target: Path) -> None:
    """Ratios to HAND of decoding and encoding, on a logarithmic scale, as SVG."""
    import matplotlib as mpl  # noqa: PLC0415  # only who plots needs it

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "msmq_wire"
    from matplotlib import pyplot as plt  # noqa: PLC0415  # after the choice above

    shown = [table for table in tables if table.name in {"decode", "encode"}]
    figure, axes = plt.subplots(len(shown), 1, figsize=(10, 4.2 * len(shown)), squeeze=False)
    for axis, table in zip(axes[:, 0], shown, strict=True):
        names = [name for name in next(iter(table.rows.values())) if name != table.base]
        width = 0.8 / len(names)
        for index, name in enumerate(names):
            found = [(at, row[name].ratio) for at, row in enumerate(table.rows.values()) if name in row]
            places = [at - 0.4 + (index + 0.5) * width for at, _ in found]
            axis.bar(places, [ratio for _, ratio in found], width, label=_LABELS.get(name, name))
        axis.axhline(1, color="black", linewidth=0.8)
        axis.set_yscale("log")
        axis.set_ylabel("times HAND (less is faster)")
        axis.set_title(table.title)
        axis.set_xticks(range(len(table.rows)), [row.replace(", ", ",\n") for row in table.rows])
        axis.legend(ncols=3, fontsize="small")
    figure.tight_layout()
    figure.savefig(target, format="svg", metadata={"Date": None})
