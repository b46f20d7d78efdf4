"""``python -m msmq_wire.testing.captures``: writes capture files; ``--help`` lists the options."""

from __future__ import annotations

import sys

from .files import main

if __name__ == "__main__":
    sys.exit(main())
