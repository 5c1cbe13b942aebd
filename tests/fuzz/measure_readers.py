"""How often `kproto lint --readers` is right, on bytes that its table was not made from.

python -m tests.fuzz.measure_readers [--captures FOLDER] [--count N] READER...

For each reader: the captured bytes of real consumers (frames.jsonl of FOLDER) and N random
neighbours of measured inputs are predicted, and then put to the client itself. Precision and recall
are of each outcome; "not known" is no prediction, and counted beside them.
"""

from __future__ import annotations

import json
import random
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from kproto.capture import decode_request, decode_response
from kproto.clients.consequences import FAILS, NOT_KNOWN, READS_OTHERWISE, REFUSES, UNKNOWN
from kproto.clients.readers import measured_readers, predict_as
from kproto.fuzz.conformance.matrix.matrix import MESSAGES
from kproto.fuzz.conformance.matrix.measure import outcome
from kproto.fuzz.conformance.process import ProcessLimits
from kproto.fuzz.conformance.remote import Remote
from kproto.fuzz.guarantees.cases import Case
from kproto.fuzz.testees import command

OUTCOMES = (REFUSES, FAILS, READS_OTHERWISE)
_CAPTURES = Path("tests/vectors/captures")
_SUBSCRIPTION, _ASSIGNMENT = MESSAGES


def captured(folder: Path) -> list[Case]:
    """The subscriptions and assignments of classic consumer groups, each once."""
    found: dict[tuple[str, bytes], Case] = {}
    for line in (folder / "frames.jsonl").read_text("utf-8").splitlines():
        for case in _of_frame(json.loads(line)):
            found[case.name, case.data] = case
    return list(found.values())


def _of_frame(told: dict[str, object]) -> Iterator[Case]:
    frame, key = bytes.fromhex(str(told["frame_hex"])), int(str(told["api_key"]))
    if key not in (11, 14):
        return
    if told["direction"] == "request":
        body = decode_request(frame).body
    else:
        body = decode_response(frame, key, int(str(told["api_version"]))).body
    message = None if body is None else body.message
    if getattr(message, "protocol_type", "consumer") not in ("consumer", None):
        return
    for each in getattr(message, "protocols", ()):
        yield Case(_SUBSCRIPTION, bytes(each.metadata), kind="captured")
    for each in getattr(message, "assignments", ()):
        if each.assignment:
            yield Case(_ASSIGNMENT, bytes(each.assignment), kind="captured")


def neighbours(count: int, seed: int) -> Iterator[Case]:
    """Measured inputs with one to three bytes changed, put in or taken out."""
    draw = random.Random(seed)  # noqa: S311
    some = measured_readers().inputs
    known = {(each.message, each.data) for each in some}
    for _ in range(count):
        of = draw.choice(some)
        data = bytearray(of.data)
        for _ in range(draw.randint(1, 3)):
            at = draw.randint(0, len(data))
            put = bytes([draw.choice((0, 1, 2, 3, 0x61, 0x80, 0xFF, draw.randrange(256)))])
            data[at : at + draw.randint(0, 1)] = put if draw.random() < 0.8 else b""
        if (of.message, bytes(data)) not in known:
            yield Case(of.message, bytes(data), kind="neighbour")


def told(reader: str, cases: Sequence[Case]) -> Iterator[tuple[Case, str, str]]:
    """Each case, what was predicted, and what the client did."""
    limits = ProcessLimits(reply_seconds=6.0, run_seconds=3600.0, failures_of_a_kind=0)
    with closing(Remote(command(reader), limits)) as remote:
        for case in cases:
            (prediction,) = predict_as(case.name, case.data, (reader,))
            does, _ = outcome(case, remote.decode(case.name, case.data))
            if does != UNKNOWN:
                yield case, prediction.does, does


def row(reader: str, what: str, cases: Sequence[Case], *, show: bool) -> str:
    found = list(told(reader, cases))
    pairs = Counter((predicted, does) for _, predicted, does in found)
    known = sum(n for (predicted, _), n in pairs.items() if predicted != NOT_KNOWN)
    parts = []
    for each in OUTCOMES:
        right = pairs[each, each]
        claimed = sum(n for (predicted, _), n in pairs.items() if predicted == each)
        there = sum(n for (p, does), n in pairs.items() if does == each and p != NOT_KNOWN)
        parts.append(f"{_share(right, claimed)} {_share(right, there)}")
    if show:
        for case, predicted, does in found:
            if predicted not in (NOT_KNOWN, does):
                print(f"  {case.name} {case.data.hex()[:120]}: {predicted}; it {does}")
    return f"| {reader} | {what} | {len(found):,} | {known:,} | " + " | ".join(parts) + " |"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"


def main() -> int:
    parser = ArgumentParser()
    parser.add_argument("readers", nargs="+")
    parser.add_argument("--captures", type=Path, default=_CAPTURES)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="every wrong prediction")
    arguments = parser.parse_args()
    real = captured(arguments.captures)
    drawn = list(
        {(c.name, c.data): c for c in neighbours(arguments.count, arguments.seed)}.values()
    )
    print("| reader | bytes | asked | predicted | refuses | does not survive | something else |")
    print("|---|---|---|---|---|---|---|")
    for reader in arguments.readers:
        print(row(reader, "captured", real, show=arguments.show), flush=True)
        print(row(reader, "neighbours", drawn, show=arguments.show), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
