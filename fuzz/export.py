"""Seeds, dictionaries and mutators for fuzzers of other languages, in the forms that they take.

    OUT/NAME/                     raw bytes, a file an input, named by its SHA-1: libFuzzer, AFL++,
                                  cargo-fuzz, Jazzer
    OUT/NAME_seed_corpus.zip      the same, as OSS-Fuzz unpacks it beside a fuzzer NAME
    OUT/NAME.dict                 a dictionary: libFuzzer, AFL++, cargo-fuzz, Jazzer
    OUT/NAME_mutator.c            a mutator that knows the layout: libFuzzer, AFL++, cargo-fuzz
    OUT/NAME.options              for libFuzzer on OSS-Fuzz
    OUT/go/FuzzNAME/              `go test fuzz v1`, for testdata/fuzz

The inputs are those of `kproto conform` with the same seed, and what campaigns have kept, without
those of no bytes and those that are longer than `MAX_BYTES`.
"""

from __future__ import annotations

import zipfile
from collections.abc import Collection, Iterator
from pathlib import Path

from ..codec import Message, message_class
from ..codec.dialect.layout import Layout, Slot
from ..codec.dialect.spec import FIXED_BYTES
from ..codec.runtime.registry import layout_of
from .conformance.inputs import inputs
from .guarantees.cases import known_names
from .mutators.messages import Messages, split
from .mutators.splices import dictionary
from .seeds import digest, shipped_messages, unpack
from .subject import CONSUMER_PROTOCOL

MAX_BYTES = 4096
"""The longest exported input, in bytes: fuzzers are fast on short ones."""
_MUTATOR = Path(__file__).parent / "mutators" / "message_mutator.c"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # so that the same inputs are the same archive


def export(out: Path, names: Collection[str] = (), *, seed: int = 0) -> dict[str, int]:
    """Write the files of each message, and return how many inputs each has.

    Raises ValueError for a name of no message, and for one without a version in front, since its
    bytes alone do not say what they are.
    """
    inputs_by_name = {name: _inputs(name, seed) for name in known_names(names or CONSUMER_PROTOCOL)}
    for name, data in inputs_by_name.items():
        _write(out, name, data)
    return {name: len(data) for name, data in inputs_by_name.items()}


def _inputs(name: str, seed: int) -> list[bytes]:
    if message_class(name).FRAMING.kind == "none":
        raise ValueError(
            f"{name} has no version in front: its bytes alone do not say what they are"
        )
    all_inputs = {split(data)[1] for data in shipped_messages([name])}
    all_inputs |= {case.data for case in inputs([name], seed=seed) if case.value is None}
    short = (data for data in all_inputs if 0 < len(data) <= MAX_BYTES)
    return sorted(short, key=lambda data: (len(data), data))


def _write(out: Path, name: str, inputs: list[bytes]) -> None:
    unpack(inputs, out / name)
    with zipfile.ZipFile(out / f"{name}_seed_corpus.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for data in inputs:
            archive.writestr(zipfile.ZipInfo(digest(data), _EPOCH), data)
    (out / f"{name}.dict").write_text(dictionary(Messages([name]).tokens()))
    (out / f"{name}_mutator.c").write_text(mutator(message_class(name)))
    (out / f"{name}.options").write_text(f"[libfuzzer]\nmax_len = {MAX_BYTES}\n")
    folder = out / "go" / f"Fuzz{name}"
    folder.mkdir(parents=True, exist_ok=True)
    for data in inputs:
        escaped = "".join(f"\\x{byte:02x}" for byte in data)
        (folder / digest(data)).write_text(f'go test fuzz v1\n[]byte("{escaped}")\n')


def mutator(message: type[Message]) -> str:
    """Return the source, in C, of a mutator that knows the layouts of a message's versions."""
    has_version_field = message.FRAMING.kind == "version32"  # the first field of the layout
    layouts = [
        "".join(_layout_letters(layout_of(message, version)))[has_version_field:]
        for version in message.VERSIONS
    ]
    rows = ",\n    ".join(f'"{layout}"' for layout in layouts)
    return (
        f"/* For {message.NAME}. Written by `kproto fuzz export`. */\n"
        f"enum {{ LABEL_BYTES = {4 if has_version_field else 2}, "
        f"LOWEST = {message.VERSIONS.lowest} }};\n"
        f"static const char *const LAYOUTS[] = {{\n    {rows},\n}};\n\n"
        f"{_MUTATOR.read_text('utf-8')}"
    )


def _layout_letters(layout: Layout) -> Iterator[str]:
    """Yield the letters of a layout, which `message_mutator.c` explains."""
    for slot in layout.slots:
        element = "".join(_layout_letters(slot.element)) if slot.element else _letter(slot)
        if slot.field.type.array:
            yield f"{'[' if slot.compact else '('}{element})"
        else:
            yield f"{{{element})" if slot.element and slot.nullable else element
    if layout.flexible:
        yield "T"


def _letter(slot: Slot) -> str:
    name = slot.field.type.name
    if name in FIXED_BYTES:
        return "u" if name == "uuid" else str(FIXED_BYTES[name])
    letter = "s" if name == "string" and slot.field.encoding != "utf-16" else "b"
    return letter.upper() if slot.compact else letter
