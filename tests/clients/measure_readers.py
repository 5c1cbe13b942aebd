"""How often `kproto lint --readers` is right, by class of messages and by client.

python -m tests.clients.measure_readers [--count N] [--seed N] [--show N] [--out FILE] READER...

Messages are drawn anew from the seed (`drawn_messages`), N of each class. `predict_as` says what a
client would do with each of them, and the client itself is then asked. "not known" is no
prediction. The exit status is 1 where fewer than 99 of 100 predictions of a class are right, where
more than 5 of 100 outcomes are not known, or where a client fails although "reads it" is predicted.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from kproto.clients.consequences import FAILS, NOT_KNOWN, READS, UNKNOWN
from kproto.clients.readers import measured_readers, predict_as
from kproto.fuzz.clients import command
from kproto.fuzz.conformance.matrix.measure import outcome
from kproto.fuzz.conformance.process import ProcessLimits
from kproto.fuzz.conformance.remote import Remote
from kproto.fuzz.subject import Subject

from .drawn_messages import CLASSES, draw_messages

LEAST_RIGHT, MOST_UNKNOWN = 0.99, 0.05
_SHOWN = 100  # bytes of a message
_LIMITS = ProcessLimits(reply_seconds=10.0, run_seconds=7200.0, failures_of_a_kind=0)


class Comparison(NamedTuple):
    """A message of a class, what was predicted of a client, and what the client did."""

    label: str
    question: str
    """The message's name, and the beginning of its bytes in hex."""
    predicted: str
    does: str
    detail: str

    @property
    def is_wrong(self) -> bool:
        """Whether there was a prediction, and the client did something else."""
        return self.predicted not in (NOT_KNOWN, self.does)


class Accuracy(NamedTuple):
    """The comparisons of a client."""

    reader: str
    comparisons: Sequence[Comparison]

    def of_class(self, label: str) -> tuple[int, int, int]:
        """Return how many predictions are right, how many there were, and how many messages."""
        rows = [row for row in self.comparisons if row.label == label]
        judged = [row for row in rows if row.predicted != NOT_KNOWN]
        return sum(not row.is_wrong for row in judged), len(judged), len(rows)

    @property
    def not_known(self) -> float:
        """The share of messages without a prediction."""
        counts = Counter(row.predicted for row in self.comparisons)
        return counts[NOT_KNOWN] / max(1, len(self.comparisons))

    @property
    def false_reads(self) -> int:
        """How often the client fails although it should read the message."""
        return sum(row.predicted == READS and row.does == FAILS for row in self.comparisons)

    @property
    def is_enough(self) -> bool:
        """Whether the client's predictions are as right as they are to be."""
        shares = (self.of_class(label) for label in CLASSES)
        is_right = all(right >= LEAST_RIGHT * judged for right, judged, _ in shares)
        return is_right and self.not_known <= MOST_UNKNOWN and not self.false_reads


def compare(reader: str, subject: Subject, count: int, seed: int) -> Iterator[Comparison]:
    """Yield the comparisons of a client with its predictions, where it has an API for the bytes."""
    for label, case in draw_messages(count, seed):
        (prediction,) = predict_as(case.name, case.data, (reader,))
        does, detail = outcome(case, subject.decode(case.name, case.data))
        if does != UNKNOWN:
            question = f"{case.name} {case.data[:_SHOWN].hex()}"
            yield Comparison(label, question, prediction.does, does, detail)


def measure(reader: str, count: int, seed: int, program: Sequence[str] | None = None) -> Accuracy:
    """Ask a client about `count` messages of each class, by default the release that is pinned."""
    with closing(Remote(command(reader) if program is None else program, _LIMITS)) as remote:
        return Accuracy(reader, list(compare(reader, remote, count, seed)))


def table(results: Sequence[Accuracy]) -> str:
    """Return the table by client and class, as Markdown."""
    head = ["client", *CLASSES, "not known", "fails, though predicted to read"]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for result in results:
        cells = [f"{right}/{judged}" for right, judged, _ in map(result.of_class, CLASSES)]
        row = [f"`{result.reader}`", *cells, f"{result.not_known:.1%}", str(result.false_reads)]
        lines.append(f"| {' | '.join(row)} |")
    return "\n".join(lines)


def page(results: Sequence[Accuracy], count: int, seed: int) -> str:
    """Return the page of the documentation."""
    return _PAGE.format(
        count=count, seed=seed, date=datetime.now(UTC).date(), table=table(results),
        total=f"{sum(len(result.comparisons) for result in results):,}",
        wrong=sum(row.is_wrong for result in results for row in result.comparisons),
    )  # fmt: skip


_PAGE = """\
# How often predictions about readers are right

Measured by `make matrix`, which runs `python -m tests.clients.measure_readers --out
docs/reference/readers-measured.md`. Messages are drawn anew in each run, {count} of each class,
half of them subscriptions; `kproto lint --readers` predicts what each client does with them, and
the client itself is then asked. This table is of {date}, seed {seed}: {total} answers, {wrong} of
which differ from the prediction. A cell has the right predictions of those that were made.

{table}

"not known" is the answer where the outcome depends on the memory or the time that the client has.
The run fails where fewer than 99 of 100 predictions of a class are right, where more than 5 of 100
outcomes are not known, or where a client crashes or hangs although it is predicted to read the
message. The classes:

| class | messages |
|---|---|
| ordinary | versions 0 to 3, one to five topics, partitions up to 2³¹-1, user data and racks |
| name lengths | a topic name of 0 to 32,767 bytes |
| odd names | names with NUL, spaces, JavaScript's own names, bytes that are not UTF-8 |
| versions from 4 | versions 4 to 32,767, with and without bytes after the fields of version 3 |
| other layouts | a version before the fields of another one; negative versions; bytes left over |
| empty | no bytes, a version alone, no topics, no entries, null and empty user data |
| duplicates | a topic, an entry or a partition twice |
| no partitions | entries without partitions |
| user data to 1 MB | user data of 1 byte to 1 MiB |
| odd numbers | a count, length or partition that is too large, negative or null |
| damaged | one to three bytes changed, inserted or removed |
| cut short | cut at any byte |
"""


def _run(reader: str, count: int, seed: int, show: int) -> Accuracy:
    start = time.monotonic()
    result = measure(reader, count, seed)
    lines = [f"{table([result]).splitlines()[-1]} {time.monotonic() - start:.0f} s"]
    wrong = [row for row in result.comparisons if row.is_wrong]
    lines += [
        f"  {row.label}: {row.question}: predicted {row.predicted!r}; it {row.does!r} {row.detail}"
        for row in wrong[:show]
    ]
    print("\n".join(lines), flush=True)
    return result


def main() -> int:
    """Measure, print, and write the page."""
    parser = ArgumentParser()
    parser.add_argument("readers", nargs="*")
    parser.add_argument("--count", type=int, default=100, help="messages of each class")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--show", type=int, default=5, help="wrong predictions to print")
    parser.add_argument("--out", type=Path, help="the page to write")
    arguments = parser.parse_args()
    readers = arguments.readers or [reader.name for reader in measured_readers().readers]
    run = partial(_run, count=arguments.count, seed=arguments.seed, show=arguments.show)
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(run, readers))
    if arguments.out:
        arguments.out.write_text(page(results, arguments.count, arguments.seed), "utf-8")
    return 0 if all(result.is_enough for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
