"""A cluster asked from code that is not asynchronous.

Connections stay open from one question to the next, in a thread of their own: a question may also
be asked where an event loop runs already, and answered while something else is computed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager, suppress
from threading import Thread
from types import TracebackType
from typing import Any, TypeVar

from .admin import Cluster
from .config.settings import Settings
from .transport import within

T = TypeVar("T")
_PATIENCE_S = 0.5
Work = Callable[[Cluster], Awaitable[T]]


class Session(AbstractContextManager["Session"]):
    """A cluster, and the thread that talks to it. Each question is given up after the cluster's
    timeout. Options are those of `Cluster`. Raises ConfigError."""

    def __init__(self, settings: Settings, **options: Any) -> None:
        self._cluster = Cluster(settings, **options)
        self._silent = f"the cluster of {settings.shown_servers} does not answer"
        self._is_connected = False
        self._loop = asyncio.new_event_loop()
        Thread(target=self._run, name="kproto-cluster", daemon=True).start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections and end the thread."""
        with suppress(TimeoutError):  # an answer may be so large that the thread still reads it
            asyncio.run_coroutine_threadsafe(self._cluster.close(), self._loop).result(_PATIENCE_S)
        self._loop.call_soon_threadsafe(self._loop.stop)

    def ask(self, work: Work[T]) -> T:
        """Return what `work` returns, which is given the connected cluster. Raises ClusterError."""
        answer = self.submit(work)
        try:
            return answer.result()
        except BaseException:  # Ctrl-C, too
            answer.cancel()
            raise

    def submit(self, work: Work[T]) -> Future[T]:
        """Begin what `ask` does, and return its future."""
        question = within(self._cluster.timeout, self._answer(work), self._silent)
        return asyncio.run_coroutine_threadsafe(question, self._loop)

    async def _answer(self, work: Work[T]) -> T:
        self._cluster.start()
        if not self._is_connected:
            await self._cluster.connect()
            self._is_connected = True
        return await work(self._cluster)

    def _run(self) -> None:
        self._loop.run_forever()
        self._loop.close()
