"""The compiled core and the generated Python: the same values, bytes, errors and manners.

Whatever else is tested in this folder runs on one engine, the one in use; `make engines` runs
all of it on the other. Here both are looked at side by side.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import pickle
import subprocess
import sys
import threading
import tracemalloc
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kproto.codec import (
    DecodeError,
    EncodeError,
    Message,
    VersionedMessage,
    built_in_names,
    compile_definition,
    decode,
    message_class,
)
from kproto.codec.runtime import engine
from kproto.codec.runtime.engine import bind

VECTORS = Path(__file__).parents[1] / "vectors"
VALID = [
    json.loads(line)
    for line in (VECTORS / "group-messages.jsonl").read_text(encoding="utf-8").splitlines()
]
WHOLE = [
    json.loads(line)
    for line in (VECTORS / "consumer-protocol.jsonl").read_text(encoding="utf-8").splitlines()
]
needs_core = pytest.mark.skipif(engine.CORE is None, reason=f"no compiled core: {engine.WHY_NOT}")


def fresh(name: str) -> Any:
    """A built-in message class that no engine has seen, from its module loaded once more."""
    module = sys.modules[message_class(name).__module__]
    assert module.__file__
    spec = importlib.util.spec_from_file_location(module.__name__, module.__file__)
    assert spec is not None and spec.loader is not None
    again = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(again)
    return getattr(again, message_class(name).__name__)


def by_python(monkeypatch: pytest.MonkeyPatch, name: str) -> Any:
    with monkeypatch.context() as patch:
        patch.setattr(engine, "CORE", None)
        cls = fresh(name)
        bind(cls)
    return cls


@pytest.mark.parametrize("name", built_in_names())
def test_what_java_wrote_is_read_and_written_by_python(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    both(by_python(monkeypatch, name))


@needs_core
@pytest.mark.parametrize("name", built_in_names())
def test_what_java_wrote_is_read_and_written_by_the_core(name: str) -> None:
    cls = fresh(name)
    bind(cls)
    assert cls._program is not None
    both(cls)


def both(cls: type[Message]) -> None:
    """Every vector of the class is read as its JSON says, and written back."""
    for vector in VALID:
        if vector["name"] != cls.NAME:
            continue
        version, body = vector["version"], bytes.fromhex(vector["hex"])
        message = cls.from_body(body, version)
        assert message == cls.from_json(vector["json"], version)
        assert message.to_body(version) == body
    for vector in WHOLE:
        if vector["name"] != cls.NAME or vector["kind"] != "valid":
            continue
        assert issubclass(cls, VersionedMessage)
        data, version = bytes.fromhex(vector["hex"]), vector["schema_version"]
        whole = cls.from_bytes(data)
        assert whole == cls.from_json(vector["json"], version)
        assert whole.to_bytes(version) == data[: len(data) - vector["left"]]


def subscription() -> Any:
    """A class of its own for each test, bound to the engine in use."""
    cls = fresh("ConsumerProtocolSubscription")
    bind(cls)
    return cls


def filled(cls: Any) -> Any:
    owned = [cls.TopicPartition(topic="orders", partitions=[0, 1, 300, 100_000, 2_000_000_000])]
    return cls(topics=["orders", "käse"], user_data=b"\0", owned_partitions=owned, rack_id="")


@pytest.fixture(params=["python", "core"])
def cls(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The subscription's class under each engine."""
    if request.param == "python":
        return by_python(monkeypatch, "ConsumerProtocolSubscription")
    if engine.CORE is None:
        pytest.skip(f"no compiled core: {engine.WHY_NOT}")
    return subscription()


def test_any_buffer_is_read(cls: Any) -> None:
    data = filled(cls).to_bytes()
    for given in (data, bytearray(data), memoryview(data), memoryview(data + data)[: len(data)]):
        assert cls.from_bytes(given) == filled(cls)
        assert cls.from_bytes(data=given) == filled(cls)
        assert cls.from_body(given[2:], 3) == cls.from_body(body=given[2:], version=3)


def test_arguments_are_checked(cls: Any) -> None:
    message = filled(cls)
    for call in (
        cls.from_bytes,
        lambda: cls.from_bytes(b"", 1),
        lambda: cls.from_bytes(text=b""),
        lambda: cls.from_bytes("00"),
        lambda: cls.from_body(b""),
        lambda: cls.from_body(b"", 0, 0),
        lambda: message.to_bytes(1, 2),
        lambda: message.to_bytes(label=1),
    ):
        with pytest.raises(TypeError):
            call()
    assert message.to_bytes(version=3) == message.to_bytes(3) == message.to_bytes(None)
    assert cls.to_body(message, 1) == message.to_body(version=1)


def test_every_cut_is_refused_where_decode_refuses_it(cls: Any) -> None:
    data = filled(cls).to_bytes()
    for cut in range(len(data)):
        with pytest.raises(DecodeError) as raised:
            cls.from_bytes(data[:cut])
        with pytest.raises(DecodeError) as wanted:
            decode(data[:cut], cls)
        assert raised.value.args == wanted.value.args


class Text(str):
    __slots__ = ()


class Number(int):
    pass


class Blob(bytes):
    __slots__ = ()


def test_values_of_subclasses_are_written_as_their_base(cls: Any) -> None:
    plain = cls(topics=["a"], user_data=b"b", generation_id=7)
    odd = cls(topics=[Text("a")], user_data=Blob(b"b"), generation_id=Number(7))
    assert odd.to_bytes() == plain.to_bytes()


def test_a_bool_in_an_array_is_its_number_and_elsewhere_refused(cls: Any) -> None:
    def owning(*numbers: Any) -> Any:
        part = cls.TopicPartition(topic="a", partitions=numbers)
        return cls(owned_partitions=[part])

    assert owning(True, False).to_bytes() == owning(1, 0).to_bytes()
    with pytest.raises(EncodeError, match="generation_id"):
        cls(generation_id=True).to_bytes()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("topics", ("a", None)),
        ("topics", ("a", "\ud800")),
        ("topics", ("x" * 32_768,)),
        ("user_data", "text"),
        ("generation_id", 1 << 31),
        ("generation_id", -(1 << 70)),
        ("generation_id", 1.0),
        ("rack_id", b"bytes"),
        ("owned_partitions", (object(),)),
        ("owned_partitions", None),
    ],
)
def test_what_does_not_fit_is_refused_by_its_path(cls: Any, field: str, value: Any) -> None:
    message = cls()
    msgspec.structs.force_setattr(message, field, value)
    with pytest.raises(EncodeError) as raised:
        message.to_bytes()
    assert raised.value.path.startswith(field)


@pytest.mark.parametrize("field", ["topics", "owned_partitions"])
def test_what_is_put_past_the_constructor_is_refused(cls: Any, field: str) -> None:
    """A list can change after it was checked, so none is written."""
    message = filled(cls)
    msgspec.structs.force_setattr(message, field, list(getattr(message, field)))
    with pytest.raises(EncodeError):
        message.to_bytes()


@pytest.mark.parametrize("name", ["python", "core"])
def test_so_it_is_in_a_flexible_version(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    member = "ConsumerGroupMemberMetadataValue"
    cls: Any = by_python(monkeypatch, member) if name == "python" else message_class(member)
    message = cls(subscribed_topic_names=["orders"])
    msgspec.structs.force_setattr(message, "subscribed_topic_names", ["orders"])
    with pytest.raises(EncodeError):
        message.to_bytes()


def test_a_subclass_of_tuple_is_made_a_tuple(cls: Any) -> None:
    class Names(tuple[str, ...]):
        __slots__ = ()

    message = cls(topics=Names(["a"]))
    assert type(message.topics) is tuple
    assert cls.from_bytes(message.to_bytes()) == message


def test_a_field_that_would_be_lost_is_refused() -> None:
    definition = {
        "type": "data", "name": "Late", "validVersions": "0-1", "fields": [
            {"name": "Kept", "type": "int32", "versions": "0+"},
            {"name": "New", "type": "int32", "versions": "1+", "default": "-1"},
            {"name": "Extra", "type": "int32", "versions": "1+", "ignorable": True},
        ],
    }  # fmt: skip
    late: Any = compile_definition(definition)
    assert late(kept=1, extra=5).to_body(0) == late(kept=1).to_body(0)
    with pytest.raises(EncodeError, match="new"):
        late(kept=1, new=2).to_body(0)


def test_messages_are_the_same_whoever_read_them() -> None:
    """Equal, of one hash, of one repr, pickled alike: on the class that everybody has."""
    cls = message_class("ConsumerProtocolSubscription")
    message = filled(cls)
    assert issubclass(cls, VersionedMessage)
    read = cls.from_bytes(message.to_bytes())
    assert (read, hash(read), repr(read)) == (message, hash(message), repr(message))
    assert pickle.loads(pickle.dumps(read)) == message  # noqa: S301  # our own
    assert message.__reduce__() == read.__reduce__()


def test_a_subclass_reads_and_writes_as_its_base(cls: Any) -> None:
    class Own(cls, frozen=True, kw_only=True):  # type: ignore[misc, call-arg]
        note: str = ""

    data = filled(cls).to_bytes()
    assert Own.from_bytes(data) == filled(cls)
    own = Own(topics=("a",), note="mine")
    assert own.to_bytes() == cls(topics=("a",)).to_bytes()


@needs_core
def test_a_class_that_the_core_cannot_make_stays_on_python() -> None:
    """One whose instances the collector tracks: their memory begins elsewhere."""
    cls = fresh("ConsumerProtocolAssignment")

    options = {"frozen": True, "kw_only": True, "gc": True}
    tracked = type(cls)(cls.__name__, (cls,), {"_codecs": cls._codecs}, **options)

    bind(tracked)
    assert tracked._program is None
    data = cls(user_data=b"a").to_bytes()
    assert tracked.from_bytes(data).user_data == b"a"


@needs_core
def test_programs_that_lie_are_refused() -> None:
    """Rows with a number of a field, a class or a layout that is not there."""
    front = ("none", "refuse", None)

    def layout(slot: tuple[int, str, int, int], kind: int = 0) -> Any:
        return (kind, False, (slot,), (), (), (), 1)

    for layouts, versions in (
        ([layout((0, "struct", 0, 0))], [(0, 0, None)]),
        ([layout((0, "struct", 0, 9))], [(0, 0, None)]),
        ([layout((0, "int8", 0, 0))], [(0, 1, None)]),
        ([layout((0, "int9", 0, 0))], [(0, 0, None)]),
    ):
        with pytest.raises(ValueError, match=r"not there|no type"):
            engine.CORE.Shape(front, layouts, versions, None)
    fallback = dict.fromkeys(("from_bytes", "from_body", "to_bytes", "to_body"), repr)
    cls = message_class("ConsumerProtocolAssignment")

    def raw() -> Any:
        return cls()

    for row in (layout((7, "int8", 0, 0)), layout((0, "int8", 0, 0), kind=3)):
        with pytest.raises(ValueError, match="not there"):
            engine.CORE.Program(front, [row], [(0, 0, None)], None, [cls], raw, repr, fallback)


@pytest.fixture
def traced() -> Iterator[None]:
    gc.collect()
    tracemalloc.start()
    yield
    tracemalloc.stop()


@pytest.mark.usefixtures("traced")
def test_memory_and_references_are_steady(cls: Any) -> None:
    """What is read, refused and written leaves nothing behind."""
    data = filled(cls).to_bytes()
    none = sys.getrefcount(None)

    def turn() -> None:
        for cut in range(0, len(data), 3):
            with pytest.raises(DecodeError):
                cls.from_bytes(data[:cut])
        for _ in range(200):
            cls.from_bytes(data).to_bytes()

    turn()
    gc.collect()

    def growth() -> int:
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(5):
            turn()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before

    # Another thread may make something meanwhile; a leak shows every time.
    assert any(growth() < 20_000 for _ in range(3))
    assert abs(sys.getrefcount(None) - none) < 500


def test_threads_read_and_write_at_once(cls: Any) -> None:
    data = filled(cls).to_bytes()
    wrong: list[bytes] = []

    def work() -> None:
        written = [cls.from_bytes(data).to_bytes() for _ in range(500)]
        wrong.extend(each for each in written if each != data)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.skipif(os.environ.get("KPROTO_ENGINE") == "python", reason="KPROTO_ENGINE=python")
def test_the_core_is_there_where_it_is_required() -> None:
    if os.environ.get("KPROTO_REQUIRE_CORE") != "1":
        pytest.skip("KPROTO_REQUIRE_CORE is not set")
    assert engine.ENGINE == "core", engine.WHY_NOT


def body_of(*parts: str) -> bytes:
    return bytes.fromhex("".join(parts).replace(" ", ""))


NO_TOPICS, NO_DATA, ONE_TOPIC = "00000000", "ffffffff", "00000001 0000"


@pytest.mark.parametrize("count", ["7fffffff", "80000000", "001e8480"])
def test_counts_that_no_array_has(cls: Any, count: str) -> None:
    """Of strings, of structs, and of numbers."""
    for body in (
        body_of(count),
        body_of(NO_TOPICS, NO_DATA, count),
        body_of(NO_TOPICS, NO_DATA, ONE_TOPIC, count),
    ):
        with pytest.raises(DecodeError) as raised:
            cls.from_body(body + bytes(40), 1)
        assert raised.value.kind.value in {"count-exceeds-input", "negative-length"}


def test_many_numbers(cls: Any) -> None:
    part = cls.TopicPartition(topic="a", partitions=range(70_000, 71_000))
    message = cls(owned_partitions=[part])
    assert cls.from_bytes(message.to_bytes()) == message


@pytest.mark.parametrize("engine_", ["python", "core"])
def test_the_least_compact_length_is_too_long(
    engine_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "ConsumerGroupHeartbeatRequest"
    made = by_python(monkeypatch, name) if engine_ == "python" else fresh(name)
    with pytest.raises(DecodeError, match="bytes, at most 32767"):
        made.from_body(bytes.fromhex("8080808008") + bytes(40), 0)


def engine_in_a_process(choice: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from kproto.codec import ENGINE; print(ENGINE)"],
        capture_output=True,
        text=True,
        check=False,
        env={"KPROTO_ENGINE": choice},
    )


def test_methods_that_were_looked_up_early_are_the_engine_s() -> None:
    """A function that somebody holds from before the first use is not slower for ever."""
    cls = fresh("ConsumerProtocolSubscription")
    message = cls(topics=("a",))
    early = cls.from_bytes, cls.from_body, message.to_bytes, message.to_body, cls._plainly
    from_bytes, from_body, to_bytes, to_body, plainly = early
    data = to_bytes(2)
    assert from_bytes(data) == from_body(to_body(2), 2) == plainly(2, data, 2)[0] == message
    assert (cls._program is None) == (engine.CORE is None)
    bind(cls)  # once more changes nothing
    assert from_bytes(data) == message


def test_the_environment_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KPROTO_ENGINE", "python")
    assert engine.load() == (None, "KPROTO_ENGINE=python")
    monkeypatch.setenv("KPROTO_ENGINE", "rust")
    with pytest.raises(ImportError, match="it can be core or python"):
        engine.load()
    assert engine_in_a_process("python").stdout == "python\n"
    assert engine_in_a_process("").stdout in {"core\n", "python\n"}
    assert "it can be core or python" in engine_in_a_process("rust").stderr


def test_without_the_core_python_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KPROTO_ENGINE", raising=False)
    monkeypatch.setitem(sys.modules, "kproto.codec._core", None)
    core, why = engine.load()
    assert core is None
    assert "an installation with cargo 1.88 or newer builds it" in why
    monkeypatch.setenv("KPROTO_ENGINE", "core")
    with pytest.raises(ImportError):
        engine.load()


def test_a_core_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> object:
        raise ImportError("built for another Python")

    monkeypatch.delenv("KPROTO_ENGINE", raising=False)
    monkeypatch.setattr(engine, "import_module", fail)
    assert engine.load() == (None, "the compiled core cannot be loaded: built for another Python")


def test_classes_made_at_run_time_go_when_nobody_holds_them() -> None:
    definition = {
        "type": "data", "name": "Passing", "validVersions": "0", "framing": "version", "fields": [
            {"name": "Parts", "type": "[]Part", "versions": "0+", "fields": [
                {"name": "Size", "type": "int32", "versions": "0+"},
            ]},
        ],
    }  # fmt: skip
    made: Any = compile_definition(definition)
    message = made(parts=[made.Part(size=1)])
    assert made.from_bytes(message.to_bytes()) == message
    gone = weakref.ref(made)
    del made, message
    gc.collect()
    assert gone() is None
