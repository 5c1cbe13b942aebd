"""Decode what holds no messages: logs, sources, stack traces and dumps that this machine has.

    python -m tests.benchmarks.find_messages [--number 2000] [--seed N] [PATH ...]

Nothing is copied. A line is printed for each message that `kproto decode` would show, and at last
how many files were read and how many of them have such a message. Without PATH the files are those
below the folders where packages of the system and of languages put theirs; --seed draws others.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random

from kproto.inspector.evidence import MessageJudge
from kproto.inspector.recognition import DOUBT, Recogniser
from kproto.tools.input.capture_files import find_capture
from kproto.tools.input.inputs import messages
from kproto.tools.output.failures import Failure

ROOTS = (
    "/var/log", "/usr/share/doc", "/usr/include", "/usr/lib/python3", "/usr/share/perl",
    "/usr/share/misc", "/usr/share/vim", "/usr/local/go/src", "/usr/local/go/test",
    "/usr/share/nodejs", "/usr/lib/node_modules", "/etc", sys.prefix,
    *(str(Path.home() / folder) for folder in (".m2", ".npm", ".cargo/registry", "go/pkg/mod")),
)  # fmt: skip
LARGEST = 256 << 10
MAX_BYTES = 1 << 20


def files(roots: list[str], number: int, seed: int = 1) -> list[Path]:
    """Texts below the roots, drawn from all of them, in a fixed order."""
    paths = sorted(path for root in roots for path in _below(Path(root)))
    Random(seed).shuffle(paths)  # noqa: S311
    return sorted(islice(filter(_is_text, paths), number))


def _below(root: Path) -> Iterator[Path]:
    for path in root.rglob("*"):
        with contextlib.suppress(OSError):
            if path.is_file() and not path.is_symlink() and 0 < path.stat().st_size < LARGEST:
                yield path


def _is_text(path: Path) -> bool:
    with contextlib.suppress(OSError), path.open("rb") as file:
        return b"\0" not in file.read(4096)
    return False


def found_in(path: Path) -> Iterator[str]:
    """What is decoded in a file, a line each."""
    if find_capture(str(path), "file", None, MAX_BYTES) is not None:
        yield f"silently: {path}: a capture"
        return
    recogniser = Recogniser()
    for message in messages(str(path), "file", None, MAX_BYTES, partial(MessageJudge, None, None)):
        recognised = recogniser.recognise(
            message.data, message.context, is_inside=message.is_inside, is_cut=message.is_cut
        )
        names = [
            part.decoded.message_class.NAME
            for part, _ in recognised.parts()
            if part.identified and not part.refused
        ]
        if names:
            how = "in doubt" if recognised.remark == DOUBT else "silently"
            place = message.place or "all of it"
            yield f"{how}: {path}: {place}: {', '.join(names)}: {message.data.hex()[:80]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", default=list(ROOTS), metavar="PATH")
    parser.add_argument("--number", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    paths = files(arguments.paths, arguments.number, arguments.seed)
    kinds: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for path in paths:
        kinds[path.suffix or "none"] += 1
        with contextlib.redirect_stderr(io.StringIO()), contextlib.suppress(Failure):
            for line in found_in(path):
                found[line.partition(":")[0]] += 1
                print(line)
    common = ", ".join(f"{number} {kind}" for kind, number in kinds.most_common(8))
    print(
        f"{len(paths):,} files ({common}): {found['silently']:,} messages silently, "
        f"{found['in doubt']:,} in doubt"
    )


if __name__ == "__main__":
    main()
