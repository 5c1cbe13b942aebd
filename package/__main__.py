"""The command: what the script `kproto` and `python -m kproto` run.

Ctrl-C is handled before anything else is imported.
"""

from __future__ import annotations

import sys

from .tools.output import interrupts

interrupts.end_at_once()

from .tools.main import main  # noqa: E402  # after the line above

if __name__ == "__main__":
    sys.exit(main())
