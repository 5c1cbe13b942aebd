"""Read the logs and texts of this machine, none of which is about a consumer group, as logs.

    python -m tests.benchmarks.find_events [--number 5000] [PATH ...]

A line is printed for each event that `kproto story` would tell, and for each line that it would
count as nearly known; at last how many files were read. What Kafka's clients are made of is left
out: their sources have the texts of their log lines.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from kproto.capture.logs.reader import LogReader
from tests.benchmarks.find_messages import ROOTS, files

_CLIENTS = ("kafka", "kproto", "rdkafka", "sarama", "franz-go", "brod")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", default=list(ROOTS), metavar="PATH")
    parser.add_argument("--number", type=int, default=5000)
    arguments = parser.parse_args()
    read = events = unknown = 0
    for path in files(arguments.paths, arguments.number):
        if any(name in str(path).lower() for name in _CLIENTS):
            continue
        read += 1
        reader = LogReader()
        with Path(path).open("rb") as file:
            for event in reader.read(file):
                events += 1
                print(f"{path}:{event.line}: {event.family}: {event.event}: {event.text[:120]!r}")
        for family in reader.families:
            unknown += family.unknown
            for number, text in family.examples:
                print(f"{path}:{number}: nearly {family.name}: {text[:120]!r}")
    print(f"{read:,} files: {events:,} events, {unknown:,} lines nearly known")


if __name__ == "__main__":
    main()
