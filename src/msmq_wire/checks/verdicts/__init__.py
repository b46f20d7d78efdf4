"""Verdicts: for each structure, the function that looks a record over and tells which rules it breaks.

All modules here but `registry` are generated from `checks.rules` by ``python -m msmq_wire.compiler``.
"""

from __future__ import annotations

from . import mqcn, mqdsrp, mqmq, mqqb, mqrr, user_message
from .registry import VERDICTS

__all__ = ["VERDICTS", "mqcn", "mqdsrp", "mqmq", "mqqb", "mqrr", "user_message"]
