"""Validators: for each structure, a function that reports which rules a record violates.

All modules here but `registry` are generated from `checks.rules` by ``python -m msmq_wire.compiler``.
"""

from __future__ import annotations

from . import mqcn, mqdsrp, mqmq, mqqb, mqrr, user_message
from .registry import VALIDATORS

__all__ = ["VALIDATORS", "mqcn", "mqdsrp", "mqmq", "mqqb", "mqrr", "user_message"]
