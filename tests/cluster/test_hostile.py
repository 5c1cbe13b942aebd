"""A broker may answer anything that is well formed: the result is a view, or one ClusterError."""

from __future__ import annotations

import asyncio
import io
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from kproto.cluster import ClusterError
from kproto.cluster.admin import Cluster
from kproto.cluster.config.settings import Settings
from kproto.cluster.connection.negotiation import Opened
from kproto.cluster.connection.wire import Exchange
from kproto.cluster.described_group import build
from kproto.cluster.gathering import gather
from kproto.cluster.listing import list_all
from kproto.cluster.migration import GroupAddress, plan
from kproto.cluster.redaction import redacted_group
from kproto.cluster.transport import within
from kproto.cluster.views.group_view import GroupView
from kproto.cluster.views.listing_view import ListingView
from kproto.cluster.what_if import futures, parse_wish
from kproto.codec import Message, MessagePart, VersionRange, message_class
from kproto.fuzz.strategies.messages import messages
from kproto.inspector.shapes.shape import json_line
from kproto.inspector.views.redaction import Redaction

GROUP = "payments"


class Line:
    """A link whose broker answers whatever is drawn, about the group that is asked for."""

    peer = "broker:9092"

    def __init__(self, data: st.DataObject) -> None:
        self._data = data
        self._answers = 0

    async def opened(self) -> Opened:
        return Opened({key: VersionRange(0, 30) for key in range(100)})

    async def ask(self, message: Message, at_least: int = 0) -> Exchange:
        opened = await self.opened()
        version = opened.version(type(message), self.peer, at_least)
        cls = message_class(f"{message.NAME.removesuffix('Request')}Response")
        drawn: Any = self._data.draw(messages(classes=st.just(cls))).message
        self._answers += 1
        if self._answers > 20:
            raise ClusterError("enough")
        said = drawn if self._data.draw(st.integers(0, 9)) == 0 else _about(drawn, message)
        return Exchange(message, said, version, b"", b"")

    async def close(self) -> None:
        pass


def _about(drawn: Any, request: Any) -> Any:
    """The answer without an error, with the group's name in it, so that it is looked at."""
    said = _without_errors(drawn)
    if getattr(said, "coordinators", None):
        first, *others = said.coordinators
        return said.replace(coordinators=(first.replace(key=GROUP), *others))
    if getattr(said, "groups", None) and request.NAME != "ListGroupsRequest":
        first, *others = said.groups
        return said.replace(groups=(first.replace(group_id=GROUP), *others))
    return said


def _without_errors(part: Any) -> Any:
    changes: dict[str, Any] = {}
    for name in part.__struct_fields__:
        value = getattr(part, name)
        if name == "error_code":
            changes[name] = 0
        elif isinstance(value, MessagePart):
            changes[name] = _without_errors(value)
        elif isinstance(value, tuple) and value and isinstance(value[0], MessagePart):
            changes[name] = tuple(map(_without_errors, value))
    return part.replace(**changes)


@given(st.data())
def test_any_answers_make_a_view_or_one_error(data: st.DataObject) -> None:
    asyncio.run(_look(data))


async def _look(data: st.DataObject) -> None:
    cluster = Cluster(Settings({"bootstrap.servers": "broker:9092"}), timeout=5)
    line = Line(data)
    cluster.link = lambda node: line  # type: ignore[assignment, method-assign, return-value]
    console = Console(file=io.StringIO(), width=100)
    try:
        await within(5, cluster.connect(), "the cluster does not answer")
        if data.draw(st.booleans()):
            listing = await within(5, list_all(cluster), "no list")
            console.print(ListingView(listing))
            for row in listing.groups:
                json_line(row)
        else:
            group = build(await within(5, gather(cluster, GROUP), "no group"))
            json_line(group)
            console.print(GroupView(group, full=data.draw(st.booleans())))
            console.print(GroupView(redacted_group(group, Redaction())))
            plan(group, "consumer", GroupAddress())
            futures(group, [parse_wish("protocol=consumer")])
    except ClusterError as error:
        assert str(error).count("\n") == 0  # noqa: PT017  # any text will do, on one line
