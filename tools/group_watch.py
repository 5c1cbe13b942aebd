"""Watch a group, or all groups: a line a change, or a live view on a terminal."""

from __future__ import annotations

import asyncio
import sys
import time
from argparse import Namespace
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, nullcontext
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from rich.live import Live

from ..cluster.api import watch_group_async
from ..cluster.redaction import redacted_group
from ..cluster.views.change_line import ChangeLine, LiveGroup, redacted_change
from .output.json_output import print_json
from .output.terminal import console, redaction_of

if TYPE_CHECKING:
    from ..cluster.transport import Recorder
    from ..cluster.watching import Look
    from ..inspector.shapes.group_shapes import GroupChange

_REMEMBERED = 100  # changes


def watch(arguments: Namespace, recorder: Recorder | None) -> int:
    """Show changes until interrupted, or for --for seconds. Raises ClusterError."""
    asyncio.run(_watch(arguments, recorder))
    return 0


async def _watch(arguments: Namespace, recorder: Recorder | None) -> None:
    looks = watch_group_async(
        arguments.name,
        config=arguments.settings,
        interval=arguments.interval,
        per_second=arguments.requests,
        timeout=arguments.timeout,
        recorder=recorder,
    )
    end = time.monotonic() + arguments.seconds if arguments.seconds else None
    live = not arguments.json and arguments.name is not None and sys.stdout.isatty()
    with _live(arguments) if live else nullcontext() as screen:
        show = _into_live(screen, arguments) if screen is not None else _lines(arguments)
        await _until(looks, end, show)


async def _until(
    looks: AsyncIterator[Look], end: float | None, show: Callable[[Look], None]
) -> None:
    try:
        async with asyncio.timeout(None if end is None else end - time.monotonic()):
            async for look in looks:
                show(look)
    except TimeoutError:
        if end is None:
            raise


@contextmanager
def _live(arguments: Namespace) -> Iterator[Any]:
    """Yield a live view, which the first look starts: before, there may be an error to show."""
    screen = Live(console=console(arguments.color), auto_refresh=False, vertical_overflow="crop")
    try:
        yield screen
    finally:
        screen.stop()


def _into_live(screen: Any, arguments: Namespace) -> Callable[[Look], None]:
    redaction = redaction_of(arguments)
    latest: deque[GroupChange] = deque(maxlen=_REMEMBERED)
    shown = [None]

    def show(look: Look) -> None:
        group: Any = look.group or shown[0]
        shown[0] = group
        if redaction is not None and group is not None:
            group = redacted_group(group, redaction)
        for change in look.changes:
            latest.append(change if redaction is None else redacted_change(change, redaction))
        screen.start()
        screen.console.width, screen.console.height = get_terminal_size()  # it may have changed
        screen.update(LiveGroup(group, tuple(latest)), refresh=True)

    return show


def _lines(arguments: Namespace) -> Callable[[Look], None]:
    redaction = redaction_of(arguments)
    screen = console(arguments.color)

    def show(look: Look) -> None:
        for change in look.changes:
            told = change if redaction is None else redacted_change(change, redaction)
            if arguments.json:
                print_json(told)
            else:
                screen.print(ChangeLine(told), soft_wrap=True)
        sys.stdout.flush()

    return show
