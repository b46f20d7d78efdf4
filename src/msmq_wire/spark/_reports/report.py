"""A run as a self-contained HTML page with plots, without network access or other files."""

from __future__ import annotations

import datetime as dt
import html
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from msmq_wire.views.texts import printable

if TYPE_CHECKING:
    from .summary import Counts, Summary

_STYLE = """
body { font-family: sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; color: #222; }
pre { background: #f4f4f4; padding: 1em; overflow-x: auto; }
"""


def report_of(summary: Summary, title: str) -> str:
    """Return the page.

    Args:
        summary: The statistics of the run.
        title: A description of the input.
    """
    heading = _shown(title)
    figures = [
        traffic_figure(summary),
        _bars("Violations by requirement", summary.violations),
        _bars("Quarantine by cause", summary.quarantine),
        _bars("Directory objects by class", summary.objects),
        queue_figure(summary),
    ]
    parts = [figure.to_html(full_html=False, include_plotlyjs=False) for figure in figures]
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="en"><head><meta charset="utf-8"><title>{heading}</title>',
            f"<style>{_STYLE}</style><script>{get_plotlyjs()}</script></head><body>",
            f"<h1>{heading}</h1>",
            f"<pre>{html.escape(str(summary))}</pre>",
            *parts,
            "</body></html>",
        ]
    )


def _shown(text: str) -> str:
    """Return a text as HTML; characters that are not printable are escaped."""
    return html.escape(printable(text))


def traffic_figure(summary: Summary) -> Any:
    """Return the packets over time."""
    figure = go.Figure(layout={"title": "Packets over time", "barmode": "stack"})
    for kind in sorted({kind for _, kind, _ in summary.traffic}):
        counts = [(at, count) for at, name, count in summary.traffic if name == kind]
        times = [dt.datetime.fromtimestamp(at / 1000, dt.UTC) for at, _ in counts]
        figure.add_bar(x=times, y=[count for _, count in counts], name=kind)
    return figure


def _bars(title: str, counts: Counts) -> Any:
    shown = counts[::-1]
    figure = go.Figure(layout={"title": title, "height": 200 + 22 * len(shown)})
    figure.add_bar(x=[count for _, count in shown], y=[_shown(name) for name, _ in shown], orientation="h")
    figure.update_yaxes(automargin=True)
    return figure


def queue_figure(summary: Summary) -> Any:
    """Return which queues messages come from and go to, with their number."""
    sources = sorted({source for source, _, _ in summary.edges})
    targets = sorted({target for _, target, _ in summary.edges})
    figure = go.Figure(layout={"title": "Messages from queue to queue", "height": 300 + 25 * len(targets)})
    figure.add_sankey(
        node={"label": [_shown(name) for name in (*sources, *targets)]},
        link={
            "source": [sources.index(source) for source, _, _ in summary.edges],
            "target": [len(sources) + targets.index(target) for _, target, _ in summary.edges],
            "value": [count for _, _, count in summary.edges],
        },
    )
    return figure
