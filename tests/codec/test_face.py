"""Messages as values: immutable, equal by content, and the same however they came about."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

import kproto
from kproto import codec
from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    EncodeError,
    Message,
    MessagePart,
    RawTaggedField,
    VersionedMessage,
    compile_definition,
    decode,
)
from kproto.codec.runtime.registry import built_in_spec

from .shapes import EVERYTHING, everything, versioned

TopicPartition = ConsumerProtocolSubscription.TopicPartition
Part, Leaf = everything.Part, everything.Leaf

SUBSCRIPTION = ConsumerProtocolSubscription(
    topics=["orders", "bills"],
    user_data=b"\0\1",
    owned_partitions=[TopicPartition(topic="orders", partitions=[0, 1])],
    generation_id=7,
    rack_id="r1",
)
WHOLE = everything(
    flag=True, tiny=-1, small=2, port=65535, number=3, unsigned=4, big=5, ratio=1.5,
    topic_id=UUID(int=1), text="ж", raw=b"raw", records=None, names=["a"], numbers=[1, 2],
    flags=[True, False], ids=[UUID(int=2)], blobs=[b"", b"b"], maybe_text=None,
    maybe_numbers=None, inner=Part(key="k", deep=[Leaf(value=1)]), maybe_inner=Part(),
    parts=[Part(), Part(key="q")], strict=9, extra="tagged", late=8,
    unknown_tagged_fields=[RawTaggedField(tag=5, data=b"?")],
)  # fmt: skip
MESSAGES = [
    pytest.param(SUBSCRIPTION, id="built-in"),
    pytest.param(SUBSCRIPTION.owned_partitions[0], id="built-in struct"),
    pytest.param(WHOLE, id="run-time"),
    pytest.param(WHOLE.inner, id="run-time struct"),
    pytest.param(WHOLE.unknown_tagged_fields[0], id="tagged field"),
]
each = pytest.mark.parametrize("message", MESSAGES)


def test_the_example_of_the_readme() -> None:
    data = SUBSCRIPTION.to_bytes(version=2)
    again = ConsumerProtocolSubscription.from_bytes(data)
    assert again == SUBSCRIPTION.replace(rack_id=None)
    assert again.replace(generation_id=8).generation_id == 8
    assert ConsumerProtocolSubscription.LATEST == 3
    assert SUBSCRIPTION.to_bytes() == SUBSCRIPTION.to_bytes(3)
    assert SUBSCRIPTION.to_body() == SUBSCRIPTION.to_bytes(3)[2:]


def test_absent_is_not_null_and_null_is_not_empty() -> None:
    cls = ConsumerProtocolSubscription
    assert cls().generation_id == -1
    assert cls.from_bytes(bytes.fromhex("0001" + "00000000" * 2 + "00000000")).generation_id == -1
    assert cls.from_bytes(bytes.fromhex("0000" + "00000000" + "ffffffff")).user_data is None
    assert cls.from_bytes(bytes.fromhex("0000" + "00000000" + "00000000")).user_data == b""
    assert cls(user_data=b"") != cls(user_data=None)


@each
def test_bases(message: Any) -> None:
    assert isinstance(message, MessagePart)
    assert not hasattr(message, "__dict__")


def test_which_base() -> None:
    assert isinstance(SUBSCRIPTION, VersionedMessage)
    assert isinstance(WHOLE, Message) and not isinstance(WHOLE, VersionedMessage)
    assert not hasattr(WHOLE, "to_bytes") and not hasattr(everything, "from_bytes")
    assert (everything.NAME, everything.API_KEY) == ("Everything", 99)
    assert everything.__name__ == "Everything" and Part.__qualname__ == "Everything.Part"


@each
def test_immutable(message: Any) -> None:
    name = message.__struct_fields__[0]
    with pytest.raises(AttributeError):
        setattr(message, name, getattr(message, name))
    with pytest.raises(AttributeError):
        delattr(message, name)
    with pytest.raises(AttributeError):
        message.something_new = 1


@each
def test_keyword_only(message: Any) -> None:
    with pytest.raises(TypeError):
        type(message)("value")
    with pytest.raises(TypeError):
        type(message)(no_such_field=1)


@each
def test_copies_are_equal(message: Any) -> None:
    fields = {name: getattr(message, name) for name in message.__struct_fields__}
    same = [
        type(message)(**fields),
        message.replace(),
        copy.copy(message),
        copy.deepcopy(message),
        *(
            pickle.loads(pickle.dumps(message, protocol))  # noqa: S301
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
        ),
    ]
    for one in same:
        assert one == message and type(one) is type(message)
        assert hash(one) == hash(message)
        assert repr(one) == repr(message)
    assert len({message, *same}) == 1


@each
def test_replace(message: Any) -> None:
    with pytest.raises(TypeError):
        message.replace(no_such_field=1)
    for name in message.__struct_fields__:
        given: Any = ("else",) if name in message._sequences else "else"
        changed = message.replace(**{name: given})
        assert changed != message and getattr(changed, name) == given


def test_equal_only_within_the_class() -> None:
    twin = compile_definition(EVERYTHING | {"name": "Twin"})
    assert everything() != twin()
    subscription: Any = ConsumerProtocolSubscription
    assert subscription() != ConsumerProtocolAssignment()
    assert everything() != {} and everything() != ()
    assert subscription.TopicPartition(topic="a") != ConsumerProtocolAssignment.TopicPartition(
        topic="a"
    )


def test_a_run_time_class_is_not_the_built_in_one() -> None:
    from kproto import schemas

    made = compile_definition(schemas.text("ConsumerProtocolSubscription"))
    assert made is not ConsumerProtocolSubscription
    assert made().to_body() == ConsumerProtocolSubscription().to_body()
    assert made() != ConsumerProtocolSubscription()


def test_lists_become_tuples() -> None:
    cls = ConsumerProtocolSubscription
    given = (["a", "b"], ("a", "b"), (name for name in "ab"), dict.fromkeys("ab").keys())
    for topics in given:
        assert cls(topics=topics).topics == ("a", "b")
    assert cls(topics=["a"]) == cls(topics=("a",)) == cls().replace(topics=["a"])
    owned = [TopicPartition(topic="a", partitions=range(3))]
    assert cls(owned_partitions=owned).owned_partitions[0].partitions == (0, 1, 2)
    decoded = cls.from_bytes(SUBSCRIPTION.to_bytes())
    assert decoded == SUBSCRIPTION and hash(decoded) == hash(SUBSCRIPTION)
    assert everything.from_body(WHOLE.to_body(2), 2) == WHOLE


def test_lists_given_are_not_kept() -> None:
    topics = ["a"]
    message = ConsumerProtocolSubscription(topics=topics)
    topics.append("b")
    assert message.topics == ("a",)


NO_LISTS = [
    ("orders", "pass ['orders']"),
    ("", "its characters"),
    (b"raw", "its bytes"),
    (bytearray(b"raw"), "its bytes"),
    (memoryview(b"raw"), "its bytes"),
    ({"a", "b"}, "it has no order; pass sorted(...)"),
    (frozenset({1}), "it has no order"),
    ({"orders": 1}, "its keys"),
    (7, "it is not iterable"),
    (object(), "it is not iterable"),
]


@pytest.mark.parametrize(("value", "word"), NO_LISTS, ids=range(len(NO_LISTS)))
@pytest.mark.parametrize(
    ("cls", "field"),
    [
        (ConsumerProtocolSubscription, "topics"),
        (ConsumerProtocolSubscription, "owned_partitions"),
        (TopicPartition, "partitions"),
        (everything, "names"),
        (everything, "maybe_numbers"),
        (everything, "unknown_tagged_fields"),
        (everything.Part, "deep"),
    ],
)
def test_what_is_no_list_is_refused_by_the_constructor(
    cls: Any, field: str, value: Any, word: str
) -> None:
    """A str is iterable, and its letters are no topics; a set has no order."""
    for make in (cls, cls().replace):
        with pytest.raises(EncodeError) as refused:
            make(**{field: value})
        assert isinstance(refused.value, TypeError) and isinstance(refused.value, ValueError)
        assert refused.value.path == field and word in refused.value.reason
        assert str(refused.value).startswith(f"{field}: ") and len(str(refused.value)) < 200


def test_an_error_of_the_caller_s_own_iterable_is_not_hidden() -> None:
    def broken() -> Any:
        yield "a"
        raise TypeError("mine")

    with pytest.raises(TypeError, match=r"^mine$"):
        ConsumerProtocolSubscription(topics=broken())


def test_null_is_refused_when_it_is_written() -> None:
    """Whether null is allowed depends on the version."""
    nothing: Any = None
    with pytest.raises(EncodeError, match="topics"):
        ConsumerProtocolSubscription(topics=nothing).to_bytes()


@pytest.mark.parametrize("kind", [bytearray, memoryview])
def test_bytes_fields_are_bytes(kind: Any) -> None:
    message = ConsumerProtocolSubscription(user_data=kind(b"\1\2"))
    assert type(message.user_data) is bytes
    assert message == ConsumerProtocolSubscription(user_data=b"\1\2")


def test_unknown_tagged_fields_belong_to_equality() -> None:
    assert WHOLE.replace(unknown_tagged_fields=()) != WHOLE
    assert WHOLE.replace(unknown_tagged_fields=[]).unknown_tagged_fields == ()


BUFFERS = [
    bytes,
    bytearray,
    memoryview,
    lambda data: memoryview(bytearray(data)),
    lambda data: memoryview(b"".join(bytes((b, 255)) for b in data))[::2],  # not contiguous
    lambda data: memoryview(data[::-1])[::-1],
    lambda data: memoryview(data).cast("b"),
    lambda data: memoryview(data).cast("c"),
    lambda data: memoryview(data).cast("B", (2, len(data) // 2)),
]


@pytest.mark.parametrize("buffer", BUFFERS, ids=range(len(BUFFERS)))
def test_every_buffer_is_read(buffer: Any) -> None:
    """As bytes() would: its memory, whatever its format and shape."""
    message = SUBSCRIPTION.replace(rack_id="even")
    data = message.to_bytes()
    data = data if len(data) % 2 == 0 else message.replace(rack_id="odd").to_bytes()
    given = buffer(data)
    seen = decode(given, ConsumerProtocolSubscription)
    assert seen.to_bytes() == data and type(seen.to_bytes()) is bytes
    assert ConsumerProtocolSubscription.from_bytes(buffer(data)) == seen.message
    body = data[2:]
    assert ConsumerProtocolSubscription.from_body(buffer(body), 3) == seen.message


def test_a_buffer_of_numbers_is_its_memory() -> None:
    from array import array

    numbers = array("I", SUBSCRIPTION.to_bytes() + b"\0" * (-len(SUBSCRIPTION.to_bytes()) % 4))
    assert ConsumerProtocolSubscription.from_bytes(memoryview(numbers)) == SUBSCRIPTION


def test_a_buffer_changed_later_changes_nothing() -> None:
    buffer = bytearray(SUBSCRIPTION.to_bytes())
    seen = decode(buffer, ConsumerProtocolSubscription)
    buffer[:] = b"\xff" * len(buffer)
    assert seen.to_bytes() == SUBSCRIPTION.to_bytes()
    assert seen.fields[0].value == ConsumerProtocolSubscription.LATEST


@pytest.mark.parametrize("wrong", ["0003", 3, None, [0, 3], 3.5])
def test_what_is_no_buffer_is_a_type_error(wrong: Any) -> None:
    cls = ConsumerProtocolSubscription
    for read in (
        cls.from_bytes,
        lambda data: cls.from_body(data, 3),
        lambda data: decode(data, cls),
        lambda data: decode(data, cls, policy=codec.Policy.LENIENT),
    ):
        with pytest.raises(TypeError):
            read(wrong)


# -- pickles

ELSEWHERE = """
import pickle, sys
message, part = pickle.loads(bytes.fromhex(sys.argv[1]))
print(message.to_body(message.LATEST).hex(), part.__class__.__qualname__)
"""


@pytest.mark.parametrize(
    ("message", "part", "name"),
    [
        (
            SUBSCRIPTION,
            SUBSCRIPTION.owned_partitions[0],
            "ConsumerProtocolSubscription.TopicPartition",
        ),
        (WHOLE, WHOLE.inner, "Everything.Part"),
        (versioned()(number=5), RawTaggedField(tag=1, data=b""), "RawTaggedField"),
    ],
    ids=["built-in", "run-time", "framed"],
)
def test_pickles_are_read_by_another_process(message: Any, part: Any, name: str) -> None:
    pickled = pickle.dumps((message, part)).hex()
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, pickled], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [message.to_body().hex(), name]


def test_a_pickled_run_time_class_keeps_its_framing() -> None:
    made = compile_definition(EVERYTHING, framing="version")
    message = made(number=1)
    again = pickle.loads(pickle.dumps(message))  # noqa: S301
    assert type(again) is made
    assert isinstance(again, VersionedMessage)


@pytest.mark.parametrize(
    "error",
    [
        codec.DecodeError(codec.ErrorKind.TRUNCATED, 3, "topics", "why", 2),
        EncodeError("topics[1]", "why"),
    ],
)
def test_errors_can_be_pickled(error: Any) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


# -- the package

NAMES = [
    "CODES", "DecodeError", "Decoded", "Deviation", "EncodeError", "ErrorKind", "FieldNode",
    "Framing", "KAFKA_RELEASE", "KprotoError", "Message", "MessagePart", "Policy",
    "RawTaggedField", "SchemaError", "VersionRange", "VersionedMessage", "compile_definition",
    "construct_for", "decode", "generate_module", "load_definitions",
    "ConsumerProtocolSubscription",
    "ConsumerProtocolAssignment", "StickyAssignorUserData", "CooperativeStickyUserData",
    "StreamJoinSubscriptionUserData", "StreamJoinAssignmentUserData",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_public_names(name: str) -> None:
    assert name in dir(codec)
    assert getattr(codec, name) is getattr(codec, name)


def test_a_star_imports_every_public_name() -> None:
    namespace: dict[str, Any] = {}
    exec("from kproto.codec import *", namespace)  # noqa: S102
    assert namespace.keys() >= {*NAMES, "message_class", "JoinGroupRequest"}


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        codec.Nothing  # noqa: B018
    from kproto.codec import messages, runtime

    for module in (messages, runtime):
        with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
            module.Nothing  # noqa: B018


@pytest.mark.parametrize(
    "name", ["Subscription", "consumerprotocolsubscription", "ConsumerProtocolSubscripton"]
)
def test_a_name_of_no_message_is_refused_alike_everywhere(name: str) -> None:
    """Whoever expected a KeyError, or a ValueError, still catches it."""
    entries: list[Callable[[], object]] = [
        lambda: codec.message_class(name),
        lambda: codec.decode(b"", name),
        lambda: kproto.decode(b"", name),
        lambda: built_in_spec(name),
    ]
    for enter in entries:
        with pytest.raises(KeyError, match=r"mean .*ConsumerProtocolSubscription") as refused:
            enter()
        assert type(refused.value) is codec.NoSuchMessage
        assert {codec.KprotoError, ValueError} <= {*type(refused.value).mro()}
        assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)  # noqa: S301


def test_what_is_no_bytes_is_named() -> None:
    text: Any = "00ff"
    nothing: Any = None
    entries: list[Callable[[], object]] = [
        lambda: codec.ConsumerProtocolSubscription.from_bytes(text),
        lambda: codec.decode(text, codec.ConsumerProtocolSubscription),
    ]
    for enter in entries:
        with pytest.raises(TypeError, match=r"memoryview, not str; bytes.fromhex"):
            enter()
    with pytest.raises(TypeError, match=r"bytes, bytearray or memoryview, not NoneType$"):
        kproto.decode(nothing)


def test_a_call_imports_only_what_it_needs() -> None:
    script = (
        "import sys; from kproto.codec import ConsumerProtocolSubscription as S;"
        "S.from_bytes(S().to_bytes()); print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert not loaded & {
        "construct",
        "rich",
        "zipfile",
        "kproto.codec.dialect.spec",
        "kproto.codec.generate.module",
    }
