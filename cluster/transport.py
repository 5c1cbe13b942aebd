"""Connections over TCP and TLS with asyncio. What is sent and what an answer means is decided by
`connection`, which has no I/O."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import ssl
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

from ..codec import EncodeError, Message
from .config.login import Login
from .connection.negotiation import Opened, opening
from .connection.wire import API_VERSIONS, Ask, Exchange, Raw, Wire
from .errors import AuthenticationFailed, ClusterError, NotKafka, Silent, Unreachable

T = TypeVar("T")
_CHUNK = 1 << 18
_LIFETIME_USED = 0.85
"""The part of a session's lifetime after which its connection is replaced (KIP-368)."""

Recorder = Callable[[Exchange, str], None]
"""Takes an answered request and the broker's address. It gets none of SASL."""


class Link:
    """A connection to one broker, opened when it is first used. Requests do not wait for the
    answers to earlier ones: brokers answer in the order in which they were asked."""

    def __init__(
        self,
        address: tuple[str, int],
        *,
        tls: ssl.SSLContext | None,
        login: Login,
        release: str,
        client_id: str,
        recorder: Recorder | None = None,
        opening: asyncio.Semaphore | None = None,
    ) -> None:
        """`opening` is shared by all connections of a cluster: so many are opened at a time."""
        host, port = address
        self.address = address
        self.peer = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self._tls = tls
        self._login = login
        self._release = release
        self._client_id = client_id
        self._recorder = recorder
        self._opening = opening or asyncio.Semaphore(1)
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._wire = Wire(self.peer, client_id)
        self._opened: Opened | None = None
        self._expires = float("inf")
        self._lock = asyncio.Lock()
        self._waiting: deque[asyncio.Future[Exchange]] = deque()
        self._reading: asyncio.Task[None] | None = None

    async def opened(self) -> Opened:
        """Return what the broker has told when the connection was opened."""
        async with self._lock:
            return await self._ready()

    async def ask(self, message: Message, at_least: int = 0) -> Exchange:
        """Send a request in the newest version that both sides know; return it with its answer."""
        async with self._lock:
            connection = await self._ready()
            version = connection.version(type(message), self.peer, at_least)
            answer = await self._sent(Ask(message, version))
        try:
            return await answer
        except asyncio.CancelledError:  # its answer may never come, nor those behind it
            if answer in self._waiting:
                self._fail(Unreachable(f"{self.peer} does not answer"))
            raise

    async def close(self) -> None:
        """Close the connection; the next request opens another one."""
        self._fail(Unreachable(f"{self.peer} is left"))

    def _fail(self, error: Exception) -> None:
        """Close the connection, and raise an error where an answer is waited for."""
        streams, self._streams, self._opened = self._streams, None, None
        if streams is not None:
            streams[1].transport.abort()
        if self._reading is not None and self._reading is not asyncio.current_task():
            self._reading.cancel()
        self._reading = None
        while self._waiting:
            answer = self._waiting.popleft()
            if not answer.done():
                answer.set_exception(error)

    async def _ready(self) -> Opened:
        time = asyncio.get_running_loop().time()
        if self._opened is not None and (time < self._expires or self._waiting):
            return self._opened
        await self.close()
        try:
            async with self._opening:
                self._opened = await self._open()
        except BaseException:
            await self.close()
            raise
        lifetime = self._opened.lifetime_ms
        self._expires = time + lifetime / 1000 * _LIFETIME_USED if lifetime else float("inf")
        return self._opened

    async def _open(self) -> Opened:
        self._streams = await self._connect()
        self._wire = Wire(self.peer, self._client_id)
        mechanism = await in_thread(partial(self._login, self.address[0]))
        dialogue = opening(self.peer, mechanism, self._release)
        step = next(dialogue)
        authenticates = False
        while True:
            authenticates = authenticates or isinstance(step, Raw) or step.message.API_KEY == 36
            try:
                answer = await self._exchange(step)
                self._record(answer)
            except Unreachable as error:
                if authenticates and mechanism is not None:
                    raise AuthenticationFailed(
                        f"{error}, when {mechanism.who} authenticated"
                    ) from None
                raise
            try:
                step = dialogue.send(answer)
            except StopIteration as done:
                connection: Opened = done.value
                return connection

    def _record(self, answer: Exchange | bytes) -> None:
        """Hand on what the broker knows; nothing of the login is handed on."""
        if self._recorder is None or not isinstance(answer, Exchange):
            return
        if answer.request.API_KEY == API_VERSIONS:
            self._recorder(answer, self.peer)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host, port = self.address
        reasons: list[str] = []
        for place in await _resolved(host, port):
            try:
                return await asyncio.open_connection(
                    place,
                    port,
                    ssl=self._tls,
                    server_hostname=host if self._tls is not None else None,
                )
            except ssl.SSLError as error:
                raise _tls_failed(self.peer, error) from None
            except (OverflowError, ValueError):  # a port or name that a broker told
                reasons.append("its address is none")
            except ConnectionResetError as error:
                if self._tls is None:
                    reasons.append(_reason(error))
                    continue
                raise Unreachable(
                    f"{self.peer} closed the connection in the TLS handshake: does it speak TLS on "
                    "this port? (security.protocol)"
                ) from None
            except OSError as error:
                reasons.append(_reason(error))
        raise Unreachable(
            f"{self.peer} cannot be reached: {reasons[-1] if reasons else 'no address'}"
        )

    def _frame(self, step: Ask | Raw) -> bytes:
        try:
            return self._wire.send(step)
        except EncodeError as error:
            raise ClusterError(f"the request cannot be written: {error}") from None

    async def _sent(self, step: Ask) -> asyncio.Future[Exchange]:
        """Send a request, and return its answer to come."""
        assert self._streams is not None
        frame = self._frame(step)
        answer: asyncio.Future[Exchange] = asyncio.get_running_loop().create_future()
        self._waiting.append(answer)
        if self._reading is None:
            self._reading = asyncio.create_task(self._read_answers(self._streams[0]))
        self._streams[1].write(frame)
        return answer

    async def _read_answers(self, reader: asyncio.StreamReader) -> None:
        """Read the answers to all requests, each of which may have been given up."""
        try:
            while self._waiting:
                for exchange in self._wire.receive(await reader.read(_CHUNK)):
                    assert isinstance(exchange, Exchange)
                    answer = self._waiting.popleft()
                    if not answer.done():
                        answer.set_result(exchange)
        except OSError as error:
            self._fail(_broken(self.peer, error))
        except Exception as error:  # noqa: BLE001  # it is raised where an answer is awaited
            self._fail(error)
        else:
            self._reading = None

    async def _exchange(self, step: Ask | Raw) -> Exchange | bytes:
        """Send a step of the connection's opening, and return its answer."""
        assert self._streams is not None
        reader, writer = self._streams
        try:
            writer.write(self._frame(step))
            await writer.drain()
            while True:
                for answer in self._wire.receive(await reader.read(_CHUNK)):
                    return answer
        except OSError as error:
            await self.close()
            raise _broken(self.peer, error) from None
        except BaseException:  # a cancelled exchange leaves an answer behind, too
            await self.close()
            raise


def _broken(peer: str, error: OSError) -> ClusterError:
    """Return what ended a connection."""
    if isinstance(error, ssl.SSLError):
        return _tls_failed(peer, error)
    return Unreachable(f"{peer} breaks off: {_reason(error)}")


def _reason(error: OSError) -> str:
    """Return what the system calls an error; asyncio has texts of its own."""
    text = os.strerror(error.errno) if error.errno else str(error)
    return (text or type(error).__name__).lower()


def _tls_failed(peer: str, error: ssl.SSLError) -> ClusterError:
    if isinstance(error, ssl.SSLCertVerificationError):
        return AuthenticationFailed(
            f"{peer} has a certificate that is not trusted: {error.verify_message}"
        )
    reason = (error.reason or "TLS failed").replace("_", " ").lower()
    if error.reason in ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG"):
        return NotKafka(f"{peer} does not speak TLS on this port ({reason})")
    return AuthenticationFailed(f"{peer}: TLS failed: {reason}")


async def _resolved(host: str, port: int) -> list[str]:
    """Return the addresses of a host. The look-up cannot be interrupted, so its thread may be left
    behind."""

    def look_up() -> list[str]:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        return list(dict.fromkeys(str(address[4][0]) for address in addresses))

    try:
        return await in_thread(look_up)
    except (OSError, OverflowError, ValueError):
        raise Unreachable(f"there is no host {host[:80]!a}") from None


async def in_thread(work: Callable[[], T]) -> T:
    """Return what `work` returns. Its thread does not hold up the end of the process."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def finish(result: Any, error: BaseException | None) -> None:
        if not future.done():
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

    def run() -> None:
        result: Any = None
        failure: BaseException | None = None
        try:
            result = work()
        except Exception as error:  # noqa: BLE001  # it is raised where it is awaited
            failure = error
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(finish, result, failure)

    threading.Thread(target=run, daemon=True).start()
    return await future


async def within(seconds: float, work: Awaitable[T], reason: str) -> T:
    """Return the result of `work`. Raises Silent where it takes longer."""
    try:
        async with asyncio.timeout(seconds):
            return await work
    except TimeoutError:
        raise Silent(f"{reason} within {max(round(seconds, 1), 0.1):g} seconds") from None
