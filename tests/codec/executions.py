"""A thousand million mutated messages: `make executions`.

    python -m tests.codec.executions [--share 0.01] [--seed N] [--jobs N] [--runs NAME...]

Five runs, each of which draws its messages from the seed alone:

    core      a thousand million through the compiled core: the walk over shapes and the reader
              agree, and what is read is written, read again, and written as the same bytes
    coverage  a tenth of that, where inputs that reach a new branch of the core are changed further
    address   a tenth, under AddressSanitizer
    python    a hundredth, in the core, the generated Python, the diagnostic reader and construct
    java      a hundredth, in the core and in Apache Kafka's own classes

`edges` are the branches of the core that were reached; only the coverage run has counters there. A
run consists of a hundred chunks. Each leaves a line in build/executions/state, so that a run that
was ended goes on where it was; a run that is done tells its result again. The core and address runs
read a part of the messages as Arrow columns, too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, NamedTuple

BUILD = Path("build/executions")
STATE = BUILD / "state"
VECTORS = Path(__file__).parents[1] / "vectors"
CHUNKS = 100
_IN_CORE, _IN_PYTHON = 1000, 100  # executions of one message, before the next has its turn
_COLUMNS_EVERY = 5  # turns
_ROWS = 200  # of a column
_SUMMED = ("executions", "written", "left")


class Run(NamedTuple):
    """One run: how many executions, with which build of the core."""

    executions: int
    library: str
    environment: dict[str, str] = {}  # noqa: RUF012  # nobody changes it


RUNS = {
    "core": Run(1_000_000_000, "core.so"),
    "coverage": Run(100_000_000, "coverage.so"),
    "address": Run(
        100_000_000, "address.so", {"ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}
    ),
    "python": Run(10_000_000, "core.so"),
    "java": Run(10_000_000, "core.so"),
}


def main() -> int:
    parser = ArgumentParser()
    parser.add_argument("--share", type=float, default=1.0, help="of the executions of each run")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--runs", nargs="+", choices=RUNS, default=list(RUNS))
    parser.add_argument("--worker", type=int, help="do every chunk of this one of the jobs")
    arguments = parser.parse_args()
    plan = Plan(arguments.share, arguments.seed, arguments.jobs)
    if arguments.worker is not None:
        _work(arguments.runs[0], plan, arguments.worker)
        return 0
    titles = "executions", "a second", "written", "left to Python", "MB", "at the end", "edges"
    print(f"| run | {' | '.join(titles)} | differences |")
    print(f"|---{'|---:' * (len(titles) + 1)}|", flush=True)
    return max([_run(name, plan) for name in arguments.runs])


class Plan(NamedTuple):
    """What the numbers of a run follow from."""

    share: float
    seed: int
    jobs: int

    def executions(self, name: str) -> int:
        """Return how many executions one chunk of a run is."""
        return max(1, round(RUNS[name].executions * self.share / CHUNKS))

    def file(self, name: str, suffix: str) -> Path:
        return STATE / f"{name}-{self.seed}-{self.share:g}{suffix}"

    def chunks(self, name: str) -> list[dict[str, Any]]:
        """Return what the chunks that are done have left."""
        file = self.file(name, ".jsonl")
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        return [json.loads(line) for line in lines if line.endswith("}")]


# -- the whole


def _run(name: str, plan: Plan) -> int:
    """Have all chunks of a run done, and print its line."""
    STATE.mkdir(parents=True, exist_ok=True)
    if len(plan.chunks(name)) < CHUNKS:
        environment = dict(os.environ) | RUNS[name].environment
        if name == "address":
            command = ["gcc", "-print-file-name=libasan.so"]
            runtime = subprocess.run(command, check=True, capture_output=True, text=True)
            environment["LD_PRELOAD"] = runtime.stdout.strip()
        options = f"--runs {name} --share {plan.share} --seed {plan.seed} --jobs {plan.jobs}"
        command = [sys.executable, "-m", __spec__.name, *options.split(), "--worker"]
        workers = [
            subprocess.Popen([*command, str(worker)], env=environment)
            for worker in range(plan.jobs)
        ]
        statuses = [worker.wait() for worker in workers]
        if any(statuses):
            print(f"{name}: a worker ended with status {max(map(abs, statuses))}", flush=True)
            return 2
    chunks = plan.chunks(name)
    total = Counter[str]()
    for chunk in chunks:
        total.update({key: value for key, value in chunk.items() if key in _SUMMED})
    differences = [difference for chunk in chunks for difference in chunk["differences"]]
    edges = max(chunk["edges"] for chunk in chunks)
    rate = total["executions"] / _seconds(chunks)
    cells = (
        name, f"{total['executions']:,}", f"{rate:,.0f}",
        *(f"{total[key]:,}" if key in total else "" for key in ("written", "left")),
        f"{chunks[plan.jobs - 1]['resident']:,}", f"{chunks[-1]['resident']:,}",
        f"{edges:,}" if edges else "", f"{len(differences):,}",
    )  # fmt: skip
    print(f"| {' | '.join(cells)} |", flush=True)
    for difference in differences[:10]:
        print(f"    {difference}")
    return int(bool(differences))


def _seconds(chunks: list[dict[str, Any]]) -> float:
    """Return the processor time of the chunks: executions a second are those of one core."""
    return sum(chunk["seconds"] for chunk in chunks) or 1.0


# -- one worker


def _work(name: str, plan: Plan, worker: int) -> None:
    _load(BUILD / RUNS[name].library)
    execute = _EXECUTE[name]()
    done = {chunk["chunk"] for chunk in plan.chunks(name)}
    for chunk in range(worker, CHUNKS, plan.jobs):
        if chunk in done:
            continue
        began = time.process_time()
        corpus = plan.file(name, f"-{worker}.corpus")
        tally = execute(plan.executions(name), (plan.seed << 8) + chunk, corpus)
        seconds = round(time.process_time() - began, 3)
        line = {"chunk": chunk, "seconds": seconds, "resident": _resident(), **tally}
        with plan.file(name, ".jsonl").open("a", encoding="utf-8") as state:
            state.write(json.dumps(line) + "\n")


def _resident() -> int:
    """Return the megabytes of this process in memory now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def _load(library: Path) -> None:
    """Have a build of the core loaded in place of the installed one."""
    name = "kproto.codec._core"
    loader = ExtensionFileLoader(name, str(library.resolve()))
    spec = spec_from_file_location(name, library, loader=loader)
    assert spec is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    loader.exec_module(module)


class Subject(NamedTuple):
    """A message in one version, and mutations of it."""

    cls: Any
    version: int
    head: bytes
    mutations: Any

    def add(self, body: bytes) -> None:
        """Have a body of this version changed, too."""
        from kproto.codec import Policy, decode

        reading = decode(body, self.cls, policy=Policy.LENIENT, body_version=self.version)
        nodes = list(reading.fields)
        for node in nodes:
            nodes += node.children
        places = {place for node in nodes for place in (node.start, node.end)}
        self.mutations.add(body, sorted({0, len(body), *places}))


def _subjects() -> list[Subject]:
    """Return every message in every version, with what is known of it: the empty one, one with a
    value in each field, the vectors, and the inputs that campaigns begin with.
    """
    from kproto.codec import message_class
    from kproto.codec.runtime.engine import CORE, bind
    from kproto.codec.runtime.registry import built_in_names
    from kproto.fuzz.defined import defined
    from kproto.fuzz.mutators.messages import split
    from kproto.fuzz.seeds import shipped_messages

    subjects = {
        (name, version): Subject(
            message_class(name), version, f"{name} {version}\n".encode(), CORE.Mutations()
        )
        for name in sorted(built_in_names())
        for version in message_class(name).VERSIONS
    }
    for subject in subjects.values():
        bind(subject.cls)
    for line in (VECTORS / "group-messages.jsonl").read_text(encoding="utf-8").splitlines():
        vector = json.loads(line)
        subjects[vector["name"], vector["version"]].add(bytes.fromhex(vector["hex"]))
    names = built_in_names()
    for data in dict.fromkeys([*defined(names), *shipped_messages(names)]):
        route, payload = split(data)
        assert route is not None
        cls, version = route
        start = 0
        if version is None:
            start = cls.FRAMING.header_bytes
            version = cls.LATEST
            if cls.FRAMING.kind != "record-type":
                version = int.from_bytes(payload[: start or 4], "big", signed=True)
        if (cls.NAME, version) in subjects:
            subjects[cls.NAME, version].add(payload[start:])
    return list(subjects.values())


def _turns(
    subjects: list[Subject], count: int, seed: int, at_once: int
) -> Iterator[tuple[Subject, int]]:
    """Yield which subject has its turn for how many executions, `count` in all. The next seed goes
    on with the next subject, should there be fewer executions than subjects.
    """
    for number, subject in enumerate(subjects):
        subject.mutations.reseed(seed << 16 | number)
    turns = -(-count // at_once)
    for turn in range(turns):
        subject = subjects[(seed * turns + turn) % len(subjects)]
        yield subject, min(at_once, count - turn * at_once)


Tally = dict[str, Any]
Execute = Callable[[int, int, Path], Tally]


def _in_core(*, with_columns: bool, with_corpus: bool = False) -> Execute:
    """Return what puts messages through the core alone."""
    from kproto.codec.runtime.engine import CORE

    subjects = _subjects()
    by_head = {subject.head: subject for subject in subjects}
    discovered: set[bytes] = set()

    def learn(corpus: Path) -> None:
        """Take over what an earlier process of this worker discovered."""
        lines = corpus.read_text(encoding="ascii").split() if corpus.exists() else []
        for data in map(bytes.fromhex, lines):
            head, _, body = data.partition(b"\n")
            if data not in discovered:
                discovered.add(data)
                by_head[head + b"\n"].add(body)

    def execute(count: int, seed: int, corpus: Path) -> Tally:
        if with_corpus:
            learn(corpus)
        read = written = left = 0
        differences = []
        for number, (subject, turn) in enumerate(_turns(subjects, count, seed, _IN_CORE)):
            cls, version, head, mutations = subject
            tally = mutations.run(cls._program, version, turn)
            read, written, left = read + tally[0], written + tally[1], left + tally[2]
            differences += [f"{(head + body).hex()}: {text}" for body, text in tally[3]]
            for body in tally[4] if with_corpus else ():
                discovered.add(head + body)
                subject.add(body)
                with corpus.open("a", encoding="ascii") as file:
                    file.write(f"{(head + body).hex()}\n")
            if with_columns and not number % _COLUMNS_EVERY and cls.FRAMING.kind != "version32":
                _read_columns(subject, _ROWS)
        return {
            "executions": count,
            "read": read,
            "written": written,
            "left": left,
            "edges": CORE.edges(),
            "differences": differences,
        }

    return execute


def _read_columns(subject: Subject, rows: int) -> None:
    import pyarrow as pa

    from kproto.pipeline.columnar import decode_column

    bodies = pa.array(subject.mutations.bodies(rows), pa.binary())
    decode_column(bodies, subject.cls, (subject.version,)).validate(full=True)


def _in_python() -> Execute:
    from kproto.fuzz.targets.agreement import EngineAgreement

    subjects = _subjects()

    def execute(count: int, seed: int, _: Path) -> Tally:
        inputs = _inputs(subjects, count, seed)
        return _checked(count, map(_difference_by(EngineAgreement.check), inputs))

    return execute


def _in_java() -> Execute:
    from kproto.fuzz.oracles.java import JavaOracle
    from kproto.fuzz.targets.agreement import JavaBatch

    known = JavaOracle().names()
    subjects = [
        subject
        for subject in _subjects()
        if subject.cls.NAME in known
        and known[subject.cls.NAME][0] <= subject.version <= known[subject.cls.NAME][1]
    ]

    def execute(count: int, seed: int, _: Path) -> Tally:
        batch = JavaBatch()
        differences = list(map(_difference_by(batch), _inputs(subjects, count, seed)))
        while (difference := _difference_by(lambda _: batch.finish())(b"")) is not None:
            differences.append(difference)
        return _checked(count, iter(differences))

    return execute


def _inputs(subjects: list[Subject], count: int, seed: int) -> Iterator[bytes]:
    for subject, turn in _turns(subjects, count, seed, _IN_PYTHON):
        yield from (subject.head + body for body in subject.mutations.bodies(turn))


def _difference_by(check: Callable[[bytes], object]) -> Callable[[bytes], str | None]:
    from kproto.fuzz.targets import Broken

    def difference(data: bytes) -> str | None:
        try:
            check(data)
        except Broken as broken:
            return f"{(broken.data or data).hex()}: {broken}"
        return None

    return difference


def _checked(count: int, differences: Iterator[str | None]) -> Tally:
    return {
        "executions": count,
        "edges": 0,
        "differences": [difference for difference in differences if difference is not None],
    }


_EXECUTE: dict[str, Callable[[], Execute]] = {
    "core": lambda: _in_core(with_columns=True),
    "coverage": lambda: _in_core(with_columns=False, with_corpus=True),
    "address": lambda: _in_core(with_columns=True),
    "python": _in_python,
    "java": _in_java,
}


if __name__ == "__main__":
    sys.exit(main())
