"""`make bench`: what kproto's speed is, beside its peers', measured in one process.

    python tests/benchmarks [--quick] [--check] [--json FILE]

Ratios are what counts: medians move with the machine, and all contestants move with it.
"""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> int:
    """Run as a folder or with -m; either way the modules beside this one have one name."""
    sys.path[0] = str(Path(__file__).resolve().parents[2])
    from tests.benchmarks.bench import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
