"""`python -m kproto`: the command, where the folder of scripts is not on the path."""

from __future__ import annotations

import sys

from .tools.main import main

if __name__ == "__main__":
    sys.exit(main())
