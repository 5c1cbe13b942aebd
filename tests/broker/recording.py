"""A proxy between clients and a broker that writes what they exchange as a packet capture.

The broker advertises the proxy's port to clients of its second listener, so that all of their
connections go through it. Packets are those of the client's connection: its own port, the port of
the proxy, and the moment in which the proxy passes the bytes on.
"""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import Event, Lock, Thread
from typing import BinaryIO

import dpkt

from tests.broker.broker import Broker, free_ports, running_broker

_SYN, _FIN, _RST, _ACK = 2, 1, 4, 16
_HOST = b"\x7f\0\0\1"
_RAW_IP = 101
_MOST = 1400  # bytes of a packet
_LISTENER = """\
listeners=PLAIN://127.0.0.1:{plain},RECORDED://127.0.0.1:{inner},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAIN://127.0.0.1:{plain},RECORDED://127.0.0.1:{proxy}
listener.security.protocol.map=PLAIN:PLAINTEXT,RECORDED:PLAINTEXT,CONTROLLER:PLAINTEXT
"""


class Recorder:
    """The packets of a capture file, written as they come."""

    def __init__(self, file: BinaryIO) -> None:
        self._writer = dpkt.pcap.Writer(file, linktype=_RAW_IP)
        self._file = file
        self._lock = Lock()

    def packet(
        self, ports: tuple[int, int], numbers: tuple[int, int], flags: int, data: bytes
    ) -> None:
        """Write a TCP segment from one port to the other, with sequence and acknowledgment."""
        tcp = dpkt.tcp.TCP(
            sport=ports[0], dport=ports[1], seq=numbers[0] % 2**32, ack=numbers[1] % 2**32,
            flags=flags,
        )  # fmt: skip
        tcp.data = data
        size = 20 + len(bytes(tcp))
        ip = dpkt.ip.IP(src=_HOST, dst=_HOST, p=6, data=tcp, len=size)
        with self._lock:
            self._writer.writepkt(bytes(ip), time.time())
            self._file.flush()


@contextmanager
def _running(run: Callable[[Event], None]) -> Iterator[None]:
    """Run a function in a thread of its own, and tell it by the event when it is to end."""
    ended = Event()
    thread = Thread(target=run, args=(ended,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(5)


class CutOff:
    """Processes whose connections pass nothing on for a while."""

    def __init__(self) -> None:
        self._ports: dict[int, set[int]] = {}

    def has(self, port: int) -> bool:
        """Whether a port is that of a process that is cut off."""
        return any(port in ports for ports in self._ports.values())

    @contextmanager
    def process(self, pid: int) -> Iterator[None]:
        """Cut off a process: its connections, and those that it opens meanwhile."""
        ports = self._ports[pid] = set(_ports_of(pid))

        def look(ended: Event) -> None:
            while not ended.wait(0.05):
                ports.update(_ports_of(pid))

        try:
            with _running(look):
                yield
        finally:
            del self._ports[pid]


CUT_OFF = CutOff()


def _ports_of(pid: int) -> Iterator[int]:
    """Yield the own ports of the connections of a process."""
    sockets = set()
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            sockets.add(str(file.readlink()))
    rows = [
        row.split()
        for table in ("tcp", "tcp6")
        for row in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]
    ]
    for row in rows:
        if f"socket:[{row[9]}]" in sockets:
            yield int(row[1].rpartition(":")[2], 16)


class _Line:
    """A client's connection, and the one to the broker that it is passed on to."""

    def __init__(self, client: socket.socket, broker: socket.socket, recorder: Recorder) -> None:
        there = client.getpeername()[1], client.getsockname()[1]
        self._ends = (client, broker)
        self._ports = (there, there[::-1])
        # As of real connections: the next one from the same port begins with other numbers.
        first = int(time.time() * 250_000)
        self._sequence = [first % 2**32, (first + 5000) % 2**32]
        self._recorder = recorder
        self._write(0, _SYN)
        self._write(1, _SYN | _ACK)

    def run(self, ended: Event) -> None:
        """Pass bytes on until one side closes; the other side is closed then."""
        try:
            while not ended.is_set():
                if CUT_OFF.has(self._ports[0][0]):
                    ended.wait(0.2)
                    continue
                ready, _, _ = select.select(self._ends, (), (), 0.2)
                for side in (0, 1):
                    if self._ends[side] in ready and not self._pass_on(side):
                        return
        finally:
            for end in self._ends:
                end.close()

    def _pass_on(self, side: int) -> bool:
        try:
            data = self._ends[side].recv(1 << 16)
        except OSError:
            self._write(side, _RST | _ACK)
            return False
        if not data:
            self._write(side, _FIN | _ACK)
            self._write(1 - side, _FIN | _ACK)
            return False
        for start in range(0, len(data), _MOST):
            self._write(side, _ACK, data[start : start + _MOST])
        try:
            self._ends[1 - side].sendall(data)
        except OSError:
            self._write(1 - side, _RST | _ACK)
            return False
        return True

    def _write(self, side: int, flags: int, data: bytes = b"") -> None:
        numbers = self._sequence[side], self._sequence[1 - side]
        self._recorder.packet(self._ports[side], numbers, flags, data)
        self._sequence[side] += len(data) + bool(flags & (_SYN | _FIN))


@contextmanager
def _proxy(listener: socket.socket, inner: int, recorder: Recorder) -> Iterator[None]:
    lines: list[Thread] = []

    def accept(ended: Event) -> None:
        while not ended.is_set():
            if not select.select([listener], (), (), 0.2)[0]:
                continue
            client, _ = listener.accept()
            try:
                broker = socket.create_connection(("127.0.0.1", inner), timeout=5)
            except OSError:
                client.close()
                continue
            for each in (client, broker):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            line = _Line(client, broker, recorder)
            lines.append(Thread(target=line.run, args=(ended,), daemon=True))
            lines[-1].start()

    try:
        with _running(accept):
            yield
    finally:
        for line in lines:
            line.join(5)


@contextmanager
def recorded_broker(folder: Path, capture: Path, settings: str = "") -> Iterator[Broker]:
    """Start a broker, and record what clients of the returned address exchange with it. Raises
    `JavaUnavailable`."""
    plain, inner, controller = free_ports(3)
    with socket.create_server(("127.0.0.1", 0)) as listener, capture.open("wb") as file:
        proxy = listener.getsockname()[1]
        ports = {"plain": plain, "inner": inner, "controller": controller, "proxy": proxy}
        given = _LISTENER.format(**ports) + settings
        with (
            running_broker(folder, given, ports=(plain, controller)) as broker,
            _proxy(listener, inner, Recorder(file)),
        ):
            yield replace(broker, bootstrap=f"127.0.0.1:{proxy}")
