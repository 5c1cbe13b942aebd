"""`kproto fuzz export`: fuzzers of other languages take what it writes, and find more with it."""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from kproto.codec import (
    ConsumerProtocolSubscription,
    DecodeError,
    Policy,
    VersionedMessage,
    decode,
    message_class,
)
from kproto.codec.runtime.registry import built_in_names
from kproto.fuzz.building import Unavailable
from kproto.fuzz.defined import defined
from kproto.fuzz.export import MAX_BYTES, export, mutator
from kproto.fuzz.mutators.messages import split
from tests.benchmarks import bench_fuzz_export as bench

NAMES = sorted(name for name in built_in_names() if message_class(name).FRAMING.kind != "none")
SUBSCRIPTION = ConsumerProtocolSubscription(
    topics=["orders", "refunds"],
    user_data=b"\0\1",
    owned_partitions=[
        ConsumerProtocolSubscription.TopicPartition(topic="orders", partitions=[0, 1]),
        ConsumerProtocolSubscription.TopicPartition(topic="refunds", partitions=[2]),
    ],
    generation_id=7,
    rack_id="eu-1",
).to_bytes(version=3)
QUICK = ("ConsumerProtocolSubscription", "StreamsGroupTopologyValue")
HARNESS = r"""
#include <stdio.h>
#include <stdlib.h>

/* As libFuzzer's: it adds a byte, removes one or changes one. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t length, size_t most) {
    if (length == 0 || (length < most && rand() % 3 == 0)) {
        bytes[length] = (uint8_t)rand();
        return length + 1;
    }
    bytes[rand() % length] = (uint8_t)rand();
    return length > 1 && rand() % 3 == 0 ? length - 1 : length;
}

int main(int argc, char **argv) {
    size_t most = (size_t)atoi(argv[1]), length = 0;
    char *line = NULL;
    size_t room = 0;
    (void)argc;
    while (getline(&line, &room, stdin) > 0) {
        uint8_t *bytes = malloc(most);
        unsigned seed, byte;
        int at;
        sscanf(line, "%u %n", &seed, &at);
        for (length = 0; sscanf(line + at, "%2x", &byte) == 1; at += 2)
            bytes[length++] = (uint8_t)byte;
        srand(seed);
        length = LLVMFuzzerCustomMutator(bytes, length, most, seed);
        for (size_t i = 0; i < length; i++)
            printf("%02x", bytes[i]);
        puts("");
        free(bytes); /* of the very size that may be written to */
    }
    free(line);
    return 0;
}
"""


def test_the_export_is_what_fuzzers_take(tmp_path: Path) -> None:
    name = "ConsumerProtocolSubscription"
    (count,) = export(tmp_path, [name]).values()
    raw = {file.name: file.read_bytes() for file in (tmp_path / name).iterdir()}
    assert len(raw) == count > 1000
    assert all(0 < len(data) <= MAX_BYTES for data in raw.values())
    with zipfile.ZipFile(tmp_path / f"{name}_seed_corpus.zip") as archive:
        assert {file: archive.read(file) for file in archive.namelist()} == raw
    for line in (tmp_path / f"{name}.dict").read_text().splitlines():
        assert re.fullmatch(r'"(\\x[0-9a-f]{2}){1,60}"', line)
    assert (tmp_path / f"{name}.options").read_text() == "[libfuzzer]\nmax_len = 4096\n"
    for file, data in raw.items():
        head, body = (tmp_path / "go" / f"Fuzz{name}" / file).read_text().splitlines()
        assert head == "go test fuzz v1"
        assert eval(f"b{body.removeprefix('[]byte(').removesuffix(')')}") == data  # noqa: S307


def test_the_same_export_is_the_same_archive(tmp_path: Path) -> None:
    names = ["ConsumerProtocolAssignment"]
    for folder in ("one", "two"):
        export(tmp_path / folder, names)
    one, two = (tmp_path / folder / f"{names[0]}_seed_corpus.zip" for folder in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def mutated(name: str, messages: list[bytes], folder: Path, most: int = MAX_BYTES) -> list[bytes]:
    """Return each message as the exported mutator changes it, under checks of every address."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    (folder / "mutate.c").write_text(mutator(message_class(name)) + HARNESS)
    options = ("-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined")
    command = [compiler, *options, "-fno-sanitize-recover=all", "mutate.c", "-o", "mutate"]
    subprocess.run(command, cwd=folder, check=True)
    lines = "".join(f"{seed} {data.hex()}\n" for seed, data in enumerate(messages))
    outputs = [
        subprocess.run(
            [folder / "mutate", str(most)], input=lines, capture_output=True, text=True, check=False
        )
        for _ in range(2)
    ]
    assert outputs[0].returncode == 0, outputs[0].stderr[-3000:]
    assert outputs[0].stdout == outputs[1].stdout  # the same seed, the same change
    return [bytes.fromhex(line) for line in outputs[0].stdout.splitlines()]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in NAMES]
)
def test_the_mutator_keeps_to_its_memory_and_to_the_layout(name: str, tmp_path: Path) -> None:
    seeds = [data for _, data in map(split, defined([name])) if len(data) <= 600]
    messages = seeds * (3000 // len(seeds))
    outputs = mutated(name, messages, tmp_path, most=700)
    assert len(outputs) == len(messages)
    assert all(0 < len(data) <= 700 for data in outputs)
    readable = sum(reads(name, data) for data in outputs)
    assert readable > len(outputs) / 3
    mutated(
        name, [b"\0", *(seed[:size] for seed in seeds for size in (1, 2, 3, 7, 11, 19))], tmp_path
    )


def reads(name: str, data: bytes) -> bool:
    cls = message_class(name)
    assert issubclass(cls, VersionedMessage)
    try:
        cls.from_bytes(data)
    except DecodeError:
        return False
    return True


def test_the_mutator_makes_what_decoders_differ_on(tmp_path: Path) -> None:
    name = "ConsumerProtocolSubscription"
    message = ConsumerProtocolSubscription.from_bytes(SUBSCRIPTION)
    outputs = mutated(name, [SUBSCRIPTION] * 4000, tmp_path)
    readings = [
        decode(data, ConsumerProtocolSubscription, policy=Policy.LENIENT) for data in outputs
    ]
    complete = [reading for reading in readings if reading.message is not None]
    counts = {
        "another known version": sum(reading.version in (0, 1, 2) for reading in complete),
        "a newer version": sum((reading.version or 0) > 3 for reading in complete),
        "a negative version": sum((reading.version or 0) < 0 for reading in readings),
    }
    messages = [reading.message for reading in complete if reading.message is not None]
    counts |= {
        "a topic twice": sum(len(set(m.topics)) < len(m.topics) for m in messages),
        "topics in another order": sum(m.topics == message.topics[::-1] for m in messages),
        "no topics": sum(not m.topics for m in messages),
        "an owned topic twice": sum(twice(m) for m in messages),
        "no partitions": sum(any(not o.partitions for o in m.owned_partitions) for m in messages),
        "another generation": sum(m.generation_id not in (7, -1) for m in messages),
        "user data null": sum(m.user_data is None for m in messages),
        "user data that is a topic": sum(m.user_data == b"orders" for m in messages),
        "a rack that is a topic": sum(m.rack_id == "orders" for m in messages),
        "a name of 512 bytes": sum(any(len(t) == 512 for t in m.topics) for m in messages),
        "a count that is not true": sum(r.error is not None for r in readings),
        "bytes left over": sum(bool(reading.remainder) for reading in complete),
    }
    assert {case: count for case, count in counts.items() if count < 4} == {}


def twice(message: ConsumerProtocolSubscription) -> bool:
    topics = [owned.topic for owned in message.owned_partitions]
    return len(set(topics)) < len(topics)


@pytest.mark.slow
@pytest.mark.parametrize("name", bench.FUZZERS)
def test_a_fuzzer_takes_what_is_exported_and_meets_more(name: str, tmp_path: Path) -> None:
    fuzzer = bench.FUZZERS[name]
    exported, built = tmp_path / "exported", tmp_path / "built"
    export(exported, [bench.MESSAGE])
    try:
        bench.build(fuzzer, built, exported)
    except Unavailable as reason:
        pytest.skip(str(reason))
    counts = []
    for number, start in enumerate(fuzzer.starts):
        run = bench.Run(built, tmp_path / str(number), exported, start, 30_000, seed=1)
        counts.append(len(bench.faults_met(fuzzer, run)))
    assert all(count > counts[0] for count in counts[1:]), counts
