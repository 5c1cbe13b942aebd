"""Every mutant through `kproto conform`'s runner, and the table of what caught it.

python -m tests.fuzz.mutants.by_conform     from the top of the repository
"""

from __future__ import annotations

import sys
import time

from .faults import FAULTS
from .hunt import through_conform


def main() -> int:
    """Print the table; 1 if a mutant got away."""
    missed = 0
    print(f"{'fault':48} {'caught by':28} {'inputs':>6} {'seconds':>8}")
    for fault in FAULTS:
        start = time.perf_counter()
        caught = through_conform(fault)
        seconds = time.perf_counter() - start
        missed += caught is None
        by, after = ("NOT CAUGHT", "") if caught is None else (caught.guarantee.title, caught.after)
        print(f"{fault.what:48} {by:28} {after:>6} {seconds:8.2f}", flush=True)
    print(f"{len(FAULTS) - missed} of {len(FAULTS)} caught")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
