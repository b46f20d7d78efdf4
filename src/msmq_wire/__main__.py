"""``python -m msmq_wire`` runs the command ``msmq-wire``."""

from __future__ import annotations

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
