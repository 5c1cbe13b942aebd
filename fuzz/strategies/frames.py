"""Strategies for requests and responses as they are on the wire: size, header, body."""

from __future__ import annotations

from typing import Literal, NamedTuple

from hypothesis import strategies as st

from ...capture.frames.api_keys import apis
from ...codec import Message, RequestHeader, ResponseHeader
from ...codec.runtime.registry import spec_of
from .messages import Given, messages
from .values import texts


class Framed(NamedTuple):
    """A frame, and what it was made of."""

    direction: Literal["request", "response"]
    api_key: int
    version: int
    header: Message
    body: Message
    data: bytes
    """The frame's bytes, with the int32 size in front."""


def frames(
    *, directions: tuple[Literal["request", "response"], ...] = ("request", "response")
) -> st.SearchStrategy[Framed]:
    """Return a strategy for frames of every API that has a definition."""
    return _frames(directions)


@st.composite
def _frames(draw: st.DrawFn, directions: tuple[Literal["request", "response"], ...]) -> Framed:
    direction = draw(st.sampled_from(directions))
    key = draw(st.sampled_from(sorted(apis())))
    cls = apis()[key].request if direction == "request" else apis()[key].response
    body = draw(messages(classes=st.just(cls)))
    header, version = _request(draw, key, body) if direction == "request" else _response(draw, body)
    data = header.to_body(version) + body.data
    framed = len(data).to_bytes(4, "big") + data
    return Framed(direction, key, body.version, header, body.message, framed)


def _request(draw: st.DrawFn, key: int, body: Given) -> tuple[Message, int]:
    header = RequestHeader(
        request_api_key=key,
        request_api_version=body.version,
        correlation_id=draw(st.integers(0, 2**31 - 1)),
        client_id=draw(st.none() | texts()),
    )
    return header, 2 if _flexible(body) else 1


def _response(draw: st.DrawFn, body: Given) -> tuple[Message, int]:
    header = ResponseHeader(correlation_id=draw(st.integers(0, 2**31 - 1)))
    return header, 1 if _flexible(body) else 0


def _flexible(body: Given) -> bool:
    return body.version in spec_of(body.cls).flexible
