"""What holds for every message and for any bytes, whatever the definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec import (
    DecodeError,
    ErrorKind,
    FieldNode,
    Message,
    Policy,
    VersionedMessage,
    decode,
)
from kproto.codec.runtime.registry import spec_of

from .strategies import Given, bodies, built_in_classes, messages, run_time_classes
from .ways import (
    attempt,
    by_careful_reader,
    by_construct,
    by_decode,
    by_fast_reader,
    constructs,
    plain,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

CLASSES = [
    pytest.param(built_in_classes(), id="built-in"),
    pytest.param(run_time_classes(), id="run-time"),
]
everywhere = pytest.mark.parametrize("classes", CLASSES)
Classes = st.SearchStrategy[type[Message]]


@pytest.mark.no_cover
@everywhere
@given(data=st.data())
def test_round_trip(classes: Classes, data: st.DataObject) -> None:
    cls, version, message = made = data.draw(messages(classes))
    assert cls.from_body(made.body, version) == message
    assert cls.from_json(message.to_json(version), version) == _without_unknown_tags(message)
    assert by_construct(cls, version, made.body) == by_decode(cls, version, made.body)
    assert constructs(cls, version, False).build(message) == made.body


def _without_unknown_tags(item: Any) -> Any:
    """What Kafka's JSON form can hold of a message."""
    if isinstance(item, tuple):
        return tuple(map(_without_unknown_tags, item))
    if not hasattr(item, "__struct_fields__"):
        return item
    values = {name: _without_unknown_tags(getattr(item, name)) for name in item.__struct_fields__}
    return type(item)(**values | dict.fromkeys({"unknown_tagged_fields"} & values.keys(), ()))


@everywhere
@given(data=st.data())
def test_the_decoders_agree(classes: Classes, data: st.DataObject) -> None:
    """On the value and its end, or on the error's kind and offset."""
    (cls, version, _), body = data.draw(bodies(classes))
    carefully = by_careful_reader(cls, version, body)
    assert by_construct(cls, version, body) == carefully
    assert by_construct(cls, version, body, compiled=True) == carefully
    if cls.FRAMING.kind != "version32":  # whose version is judged before its fields
        assert by_decode(cls, version, body) == carefully
    fast = by_fast_reader(cls, version, body)
    assert fast is None or fast == carefully


@everywhere
@given(data=st.data())
def test_the_decoders_agree_on_every_cut(classes: Classes, data: st.DataObject) -> None:
    """A reader that reads ahead may take the end of the bytes for the end of a field."""
    cls, version, _ = made = data.draw(messages(classes))
    body = made.body
    for end in range(max(0, len(body) - 300), len(body)):
        fast = by_fast_reader(cls, version, body[:end])
        assert fast is None or fast == by_careful_reader(cls, version, body[:end]), end


@everywhere
@given(data=st.data())
def test_canonical_bytes_take_the_fast_way(classes: Classes, data: st.DataObject) -> None:
    """Else speed, and the agreement above, would be about nothing."""
    cls, version, _ = made = data.draw(messages(classes))
    assert by_fast_reader(cls, version, made.body) is not None


@everywhere
@pytest.mark.parametrize("policy", Policy)
@given(data=st.data())
def test_any_bytes_give_a_value_or_the_one_error(
    policy: Policy, classes: Classes, data: st.DataObject
) -> None:
    (cls, version, _), body = data.draw(bodies(classes))
    seen = attempt(body, cls, policy=policy, body_version=version)
    if isinstance(seen, DecodeError):
        assert policy is not Policy.LENIENT
        assert 0 <= seen.offset <= len(body)
        assert str(seen)
        return
    assert seen.to_bytes() == body
    assert seen.complete == (seen.error is None) == (seen.message is not None)
    assert seen.complete or policy is Policy.LENIENT
    read = len(body) - len(seen.remainder)
    assert body[read:] == seen.remainder
    if seen.error is not None:
        assert seen.error.offset == read
    # A label that is refused is shown, though nothing counts as read.
    shown = seen.fields[0].end if seen.fields and read == 0 else read
    _check_tree(seen.fields, 0, shown, flexible=version in spec_of(cls).flexible)
    for deviation in seen.deviations:
        assert 0 <= deviation.offset <= len(body)
        assert deviation.count >= 1


def _check_tree(nodes: Sequence[FieldNode], start: int, end: int, *, flexible: bool) -> None:
    """Every byte from start to end belongs to a node, but for a count or marker in front and, in
    flexible versions, what stands between tagged fields and behind the last one."""
    at = start
    for number, node in enumerate(nodes):
        gap = node.start - at
        assert gap == 0 or (gap > 0 and (flexible or (number == 0 and gap <= 5)))
        assert node.start <= node.end <= end
        _check_tree(node.children, node.start, node.end, flexible=flexible)
        at = node.end
    assert not nodes or at == end or flexible


REFUSED_LABELS = (ErrorKind.UNSUPPORTED_VERSION, ErrorKind.UNKNOWN_RECORD_TYPE)


@given(data=st.data(), policy=st.sampled_from(Policy))
def test_any_bytes_with_a_version_in_front(data: st.DataObject, policy: Policy) -> None:
    cls = data.draw(built_in_classes().filter(lambda cls: issubclass(cls, VersionedMessage)))
    (_, version, _), body = data.draw(bodies(st.just(cls)))
    raw = data.draw(st.sampled_from([version.to_bytes(2, "big"), b"\x7f\xff", b"\0", b""])) + body
    seen = attempt(raw, cls, policy=policy)
    if isinstance(seen, DecodeError):
        assert policy is not Policy.LENIENT
        assert 0 <= seen.offset <= len(raw)
        return
    assert seen.to_bytes() == raw
    if seen.fields:
        assert seen.fields[0].name in ("version", "record_type")
        assert seen.fields[0].start == 0
        refused = seen.error is not None and seen.error.kind in REFUSED_LABELS
        read = seen.fields[-1].end if refused else len(raw) - len(seen.remainder)
        _check_tree(seen.fields, 0, read, flexible=bool(spec_of(cls).flexible))


@everywhere
@given(data=st.data())
def test_with_message_gives_back_canonical_bytes(classes: Classes, data: st.DataObject) -> None:
    made: Given = data.draw(messages(classes))
    tail = data.draw(st.binary(max_size=8))
    seen = decode(made.body + tail, made.cls, body_version=made.version)
    assert seen.message == made.message
    assert seen.with_message(seen.message) == made.body + tail


@pytest.mark.no_cover
@everywhere
@given(data=st.data())
def test_equal_messages_are_one_key(classes: Classes, data: st.DataObject) -> None:
    cls, version, message = made = data.draw(messages(classes))
    again = cls.from_body(made.body, version)
    assert hash(again) == hash(message)
    assert {again: 1}[message] == 1
    assert plain(again) == plain(message)
