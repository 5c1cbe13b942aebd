"""Each change of the generated readers and writers, and of the codec by hand: does the kit find it?

Every change has a process of its own, which may crash, hang and take memory. The generated code
leaves to other readers what it finds odd, as it does in the library. `make mutants` tries them all,
which is a section of docs/reference/faults.md.
"""

from __future__ import annotations

import ast
import multiprocessing
import re
import resource
import sys
import types
from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import kproto.codec.messages.consumer_protocol_assignment as assignment
import kproto.codec.messages.consumer_protocol_subscription as subscription
from kproto.codec import EncodeError, message_class
from kproto.codec.wire import primitives
from kproto.fuzz.guarantees.subjects import GENERATED, measured
from kproto.fuzz.subject import (
    Cost,
    Failed,
    Failure,
    JsonObject,
    Read,
    ReadAnswer,
    Subject,
    WriteAnswer,
    Written,
)

from . import codec
from .changes import Change, changed
from .codec import ASSIGNMENT, SUBSCRIPTION
from .hunt import cases, first_catch
from .page import write_section

NAMES = (SUBSCRIPTION, ASSIGNMENT)
HANG, DEATH = "G01-answers (hang)", "G01-answers (crash)"
_SECONDS = 120
_MEMORY = 4 << 30
_PRIMITIVES = (
    "_possible", "_unpack_int16", "_unpack_int32", "_pack_int16", "_pack_int32", "_NULL_INT16",
    "_NULL_INT32", "_fixed", "_Numbers.__init__", "_Numbers.make", "_Numbers.packed",
    "_plain_numbers", "INT32", "read_string", "_long_size", "write_string", "read_string_array",
    "read_nullable_string", "write_nullable_string", "read_nullable_bytes", "write_nullable_bytes",
    "read_array", "write_array",
)  # fmt: skip
"""What the messages of the consumer protocol are read and written with."""
_PLAIN = frozenset({"Codec.cost", "Codec.decode", "Codec.encode", "to_json"})


class GeneratedCopy:
    """Copies of the generated modules, one of them changed, as a subject."""

    def __init__(self, trees: dict[str, ast.Module]) -> None:
        wire = _module(primitives, trees.get("primitives"))
        self._odd_bytes, self._odd_value = wire.ODD_BYTES, wire.ODD_VALUE
        self._classes = {
            SUBSCRIPTION: getattr(_messages(subscription, trees, wire), SUBSCRIPTION),
            ASSIGNMENT: getattr(_messages(assignment, trees, wire), ASSIGNMENT),
        }

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        cls = self._classes[name]
        label = int.from_bytes(data[:2], "big", signed=True)
        if len(data) < 2 or label < 0:
            return GENERATED.decode(name, data)
        try:
            message, end = cls._codecs[min(label, cls.LATEST)].read(data, 2)
        except self._odd_bytes:
            return GENERATED.decode(name, data)
        except Exception as error:  # noqa: BLE001
            return Failed(Failure.CRASH, repr(error))
        return Read(_value(message), label, data[end:])

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        cls = self._classes[name]
        try:
            plain = message_class(name).from_json(value, version)
            parts = [cls._headers[version]]
            cls._codecs[version].write(_copied(plain, cls), parts)
            return Written(b"".join(parts))
        except (EncodeError, KeyError, *self._odd_value):
            return GENERATED.encode(name, version, value)
        except Exception as error:  # noqa: BLE001
            return Failed(Failure.CRASH, repr(error))

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        answer = self.decode(name, data)
        if not isinstance(answer, Read) or answer.version is None:
            return GENERATED.rewrite(name, data)
        known = min(answer.version, self._classes[name].LATEST)
        written = self.encode(name, known, answer.value)
        if not isinstance(written, Written) or answer.remainder is None:
            return written
        return Written(data[:2] + written.data[2:] + answer.remainder)

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        return measured(lambda: self.decode(name, data, version))


def _module(original: types.ModuleType, tree: ast.Module | None) -> types.ModuleType:
    if tree is None:
        tree = ast.parse(_source(original))
    module = types.ModuleType(f"{original.__name__}_changed")
    module.__package__ = original.__name__.rpartition(".")[0]
    sys.modules[module.__name__] = module  # where classes look up their annotations
    exec(compile(tree, module.__name__, "exec"), module.__dict__)  # noqa: S102
    return module


def _messages(
    original: types.ModuleType, trees: dict[str, ast.Module], wire: types.ModuleType
) -> types.ModuleType:
    tree = trees.get(original.__name__) or ast.parse(_source(original))
    lines = [
        line
        for line in tree.body
        if not (isinstance(line, ast.ImportFrom) and line.module == "wire.primitives")
    ]
    module = types.ModuleType(f"{original.__name__}_changed")
    module.__package__ = original.__name__.rpartition(".")[0]
    names = (name for name in vars(wire) if not name.startswith("__"))
    vars(module).update({name: getattr(wire, name) for name in names})
    sys.modules[module.__name__] = module
    exec(compile(ast.Module(lines, []), module.__name__, "exec"), module.__dict__)  # noqa: S102
    return module


def _source(module: types.ModuleType) -> str:
    assert module.__file__ is not None
    return Path(module.__file__).read_text(encoding="utf-8")


def _value(message: Any) -> JsonObject:
    """The message in Kafka's JSON form, whatever its fields hold."""
    blob = message.user_data
    value: JsonObject = {"userData": None if blob is None else b64encode(blob).decode()}
    if hasattr(message, "assigned_partitions"):
        return value | {"assignedPartitions": _entries(message.assigned_partitions)}
    return value | {
        "topics": list(message.topics),
        "ownedPartitions": _entries(message.owned_partitions),
        "generationId": message.generation_id,
        "rackId": message.rack_id,
    }


def _entries(entries: Any) -> list[JsonObject]:
    return [{"topic": entry.topic, "partitions": list(entry.partitions)} for entry in entries]


def _copied(message: Any, cls: Any) -> Any:
    """The same message of the copied class."""
    fields = {name: getattr(message, name) for name in cls.__struct_fields__}
    for name in ("owned_partitions", "assigned_partitions"):
        if name in fields:
            fields[name] = tuple(
                cls.TopicPartition(topic=entry.topic, partitions=entry.partitions)
                for entry in fields[name]
            )
    return cls(**fields)


class Mutant(NamedTuple):
    """A change, and what makes the subject that has it."""

    target: str
    change: Change
    make: Callable[[], Subject]

    @property
    def equal(self) -> str | None:
        """Why no answer differs; None if some should."""
        reasons = (
            row.why
            for row in EQUAL
            if row.target == self.target
            and re.fullmatch(row.function, self.change.function)
            and re.search(row.old, self.change.old)
        )
        return next(reasons, None)


class Equal(NamedTuple):
    """Changes that alter no answer: where they are, what they replace, and why."""

    target: str
    function: str
    """A regular expression for the whole name."""
    old: str
    """A regular expression for a part of the code as it was."""
    why: str


_OTHERS = "what is odd goes to the library's other readers and writers"
_APART = "the two statements have nothing to do with each other"
_BY_UNPACK = "single numbers of the consumer protocol are read by `unpack`"
EQUAL = (
    Equal("generated", "_possible", "", _OTHERS),
    Equal("generated", "_(un)?pack_int(16|32)", "", _OTHERS),
    Equal("generated", "_fixed", "bool|raise", _OTHERS),
    Equal("generated", "_fixed", "read|unpack|pos|0", _BY_UNPACK),
    Equal("generated", r"_Numbers\.__init__", "self", _APART),
    Equal("generated", r"_Numbers\.__init__", "'>'", "a size is the same in either order"),
    Equal("generated", r"_Numbers\.make", "CACHED_SIZES", "only what is cached differs"),
    Equal("generated", r"_Numbers\.packed", "tuple|known", _OTHERS),
    Equal("generated", "_plain_numbers", "unpack_from|raw", _OTHERS),
    Equal("generated", "_long_size", "size|_unpack_int16|0", _OTHERS),
    Equal("generated", "read_string", "^0$", "the other way to the same length"),
    Equal("generated", "write_string", "raw", _OTHERS),
    Equal("generated", "read(_string)?_array", r"pos \+= 4; items", _APART),
    Equal("generated", "read(_string)?_array", "count <=|^0$", _OTHERS),
    Equal("generated", "read_nullable_string", "128", _OTHERS),
    Equal("generated", "write_array|_write_topic_partition.*", "type", _OTHERS),
    Equal("generated", "_read_topic_partition.*", r"\(partitions, pos\)", _OTHERS),
    Equal("generated", "_read_v.*", r"pos > len\(data\)", _OTHERS),
    Equal("generated", "_write_v3", "^INT32$", _OTHERS),
    Equal("by hand", r"Codec\.__init__", "", "each reading sets both"),
    Equal("by hand", r"Codec\.rewrite", "SUBSCRIPTION", "the kit asks for these names alone"),
    Equal("by hand", r"Codec\.relabel", ">h", "a label that was read is not negative"),
    Equal("by hand", r"Codec\.read", "label = ", _APART),
    Equal("by hand", r"Codec\.no_generation", "1", "any number below 0 is no generation"),
    Equal("by hand", r"Codec\.array", "self.pos", "an element beyond the end is refused"),
    Equal("by hand", r"Codec\.text", "in text", "a reader may have one U+FFFD or several"),
    Equal("by hand", r"Codec\.int(16|32)", "^0$", "`unpack` gives one number"),
    Equal("by hand", r"Codec\.put_subscription", "^-?1$", "the kit leaves no field out"),
    Equal(
        "by hand", r"Codec\.write", "if not 0", "an unknown version may have its own label"
    ),
)  # fmt: skip


def mutants() -> Iterator[Mutant]:
    """Yield all of them."""
    for module, name in (
        (primitives, "primitives"), (subscription, subscription.__name__),
        (assignment, assignment.__name__),
    ):  # fmt: skip
        for change, tree in changed(_source(module), _is_generated_code):
            trees = {name: tree}
            yield Mutant("generated", change, lambda trees=trees: GeneratedCopy(trees))  # type: ignore[misc]
    for change, tree in changed(_source(codec), _is_of_codec):
        yield Mutant("by hand", change, lambda tree=tree: _module(codec, tree).Codec())  # type: ignore[misc]


def _is_generated_code(name: str) -> bool:
    return name in _PRIMITIVES or name.startswith(
        ("_read_v", "_write_v", "_read_topic", "_write_topic")
    )


def _is_of_codec(name: str) -> bool:
    return name not in _PLAIN and "." in name


def catch(mutant: Mutant) -> str | None:
    """Return the guarantee that finds a mutant first; None if none does."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_judge, args=(mutant, sender))
    process.start()
    sender.close()
    try:
        if not receiver.poll(_SECONDS):
            return HANG
        title: str | None = receiver.recv()
        return title
    except EOFError:
        return DEATH
    finally:
        process.kill()
        process.join()


def _judge(mutant: Mutant, sender: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    try:
        caught = first_catch(mutant.make(), cases(NAMES))
        sender.send(None if caught is None else caught.guarantee.title)
    except Exception:  # noqa: BLE001  # at import, or out of an answer: a crash
        sender.send(DEATH)


_TITLE = "Changes of the generated readers and writers"
_ABOUT = """\
Each comparison, constant, width, sign and order in what kproto generates for the messages of the
consumer protocol, and in the codec by hand, is changed, one at a time.
"""


def main() -> int:
    """Write the section of the page; 1 if a change that alters an answer is not found."""
    cases(NAMES)  # once, before the processes
    lines, missed = section()
    print(*lines, sep="\n")
    write_section(_TITLE, [_ABOUT, *lines])
    return 1 if missed else 0


def section() -> tuple[list[str], int]:
    """Return the table's lines, and how many that alter an answer no one finds."""
    rows: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    missed = 0
    for mutant in mutants():
        title = catch(mutant)
        row = rows[mutant.target, mutant.change.kind]
        row["changes"] += 1
        if title is not None:
            row[title[:3]] += 1
        elif mutant.equal is not None:
            row["equal"] += 1
        else:
            missed += 1
            print("NOT FOUND", mutant.target, *mutant.change, sep=" | ", flush=True)
    lines = ["| readers and writers | changed | changes | not found | equal | first found by |"]
    lines.append("|---|---|---:|---:|---:|---|")
    for (target, kind), row in sorted(rows.items()):
        ids = sorted(key for key in row if key.startswith("G"))
        number = sum(row[key] for key in ids)
        lines.append(
            f"| {target} | {kind} | {row['changes']} | {row['changes'] - number - row['equal']} "
            f"| {row['equal']} | {', '.join(f'{key}: {row[key]}' for key in ids)} |"
        )
    reasons = dict.fromkeys(row.why for row in EQUAL)
    return [*lines, "", f"Equal changes alter no answer: {'; '.join(reasons)}."], missed


if __name__ == "__main__":
    sys.exit(main())
