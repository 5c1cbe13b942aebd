"""Programs that print packets and connections: tcpdump, tshark, ngrep, socat. Each is given
connections in which consumers exchange messages, in a capture file or, for socat, in front of it.
"""

from __future__ import annotations

import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from io import BytesIO
from pathlib import Path
from random import Random
from typing import NamedTuple

import dpkt

from kproto.codec import Message, message_class

from .printers import SECONDS, Drawn

_JOIN, _SYNC = 11, 14
_CLIENT, _BROKER = (b"\x0a\0\0\1", 40000), (b"\x0a\0\0\2", 9092)
_SEGMENT = 1400  # bytes of a packet
_ETHERNET, _COOKED, _RAW_IP, _LOOPBACK = 1, 113, 101, 0


class Sent(NamedTuple):
    """What one side sent: a request or a response of a version, with its size in front."""

    direction: str
    body: Message
    version: int
    data: bytes


class PacketPrint(NamedTuple):
    """What a program printed of a connection."""

    style: str
    text: bytes


ShowPackets = Callable[[Sequence[Sent], Path, Random], Iterator[PacketPrint]]


def converse(rng: Random, messages: Sequence[Drawn]) -> list[Sent]:
    """Return requests and responses with these messages in them: members join, and get what they
    are assigned."""
    return [
        sent
        for number, drawn in enumerate(messages, start=1)
        for sent in (_joins if "Subscription" in drawn.message.NAME else _syncs)(rng, number, drawn)
    ]


def _joins(rng: Random, number: int, drawn: Drawn) -> Iterator[Sent]:
    version = rng.choice((2, 3, 4, 5, 6, 7, 9))
    request = message_class("JoinGroupRequest")
    protocol = request.JoinGroupRequestProtocol  # type: ignore[attr-defined]
    yield _sent(
        "request", _JOIN, version, number,
        request(
            group_id="billing", session_timeout_ms=45_000, rebalance_timeout_ms=300_000,
            member_id="consumer-1", group_instance_id=None, protocol_type="consumer",
            protocols=[protocol(name="range", metadata=drawn.data)], reason=None,
        ),
    )  # fmt: skip
    response = message_class("JoinGroupResponse")
    member = response.JoinGroupResponseMember  # type: ignore[attr-defined]
    yield _sent(
        "response", _JOIN, version, number,
        response(
            throttle_time_ms=0, error_code=0, generation_id=number,
            protocol_type="consumer" if version >= 7 else None, protocol_name="range",
            leader="consumer-1", skip_assignment=False, member_id="consumer-1",
            members=[
                member(member_id="consumer-1", group_instance_id=None, metadata=drawn.data)
            ],
        ),
    )  # fmt: skip


def _syncs(rng: Random, number: int, drawn: Drawn) -> Iterator[Sent]:
    version = rng.randint(1, 5)
    kind = {"protocol_type": "consumer", "protocol_name": "range"} if version >= 5 else {}
    request = message_class("SyncGroupRequest")
    assignment = request.SyncGroupRequestAssignment  # type: ignore[attr-defined]
    yield _sent(
        "request", _SYNC, version, number,
        request(
            group_id="billing", generation_id=number, member_id="consumer-1",
            group_instance_id=None,
            assignments=[assignment(member_id="consumer-1", assignment=drawn.data)], **kind,
        ),
    )  # fmt: skip
    yield _sent(
        "response", _SYNC, version, number,
        message_class("SyncGroupResponse")(
            throttle_time_ms=0, error_code=0, assignment=drawn.data, **kind
        ),
    )  # fmt: skip


def _sent(direction: str, key: int, version: int, number: int, body: Message) -> Sent:
    is_flexible = version >= (6 if key == _JOIN else 4)
    head = number.to_bytes(4, "big")
    if direction == "request":
        client = b"consumer-1"
        head = key.to_bytes(2, "big") + version.to_bytes(2, "big") + head
        head += len(client).to_bytes(2, "big") + client
    data = head + b"\0" * is_flexible + body.to_body(version)
    return Sent(direction, body, version, len(data).to_bytes(4, "big") + data)


# -- a capture file


def capture(sent: Sequence[Sent], link_type: int = _ETHERNET) -> bytes:
    """Return a capture file of a connection, opened and closed, of segments of 1,400 bytes."""
    file = BytesIO()
    writer = dpkt.pcap.Writer(file, linktype=link_type)
    numbers = {True: 1000, False: 5000}
    clock = 1_700_000_000.0

    def write(*, from_client: bool, flags: int, data: bytes = b"") -> None:
        nonlocal clock
        clock += 0.001
        writer.writepkt(_packet(link_type, from_client, numbers, flags, data), clock)
        numbers[from_client] += len(data) + bool(flags & (dpkt.tcp.TH_SYN | dpkt.tcp.TH_FIN))

    write(from_client=True, flags=dpkt.tcp.TH_SYN)
    write(from_client=False, flags=dpkt.tcp.TH_SYN | dpkt.tcp.TH_ACK)
    for one in sent:
        for at in range(0, len(one.data), _SEGMENT):
            part = one.data[at : at + _SEGMENT]
            write(
                from_client=one.direction == "request",
                flags=dpkt.tcp.TH_ACK | dpkt.tcp.TH_PUSH,
                data=part,
            )
    write(from_client=True, flags=dpkt.tcp.TH_FIN | dpkt.tcp.TH_ACK)
    write(from_client=False, flags=dpkt.tcp.TH_FIN | dpkt.tcp.TH_ACK)
    return file.getvalue()


def _packet(
    link_type: int, from_client: bool, numbers: Mapping[bool, int], flags: int, data: bytes
) -> bytes:
    (source, port), (target, target_port) = (
        (_CLIENT, _BROKER) if from_client else (_BROKER, _CLIENT)
    )
    tcp = dpkt.tcp.TCP(
        sport=port, dport=target_port, seq=numbers[from_client], ack=numbers[not from_client],
        flags=flags,
    )  # fmt: skip
    tcp.data = data
    packet = bytes(dpkt.ip.IP(src=source, dst=target, p=6, data=tcp, len=40 + len(data)))
    if link_type == _ETHERNET:
        return b"\x02\x42\xac\x11\0\2\x02\x42\xac\x11\0\3\x08\0" + packet.ljust(46, b"\0")
    if link_type == _COOKED:
        return b"\0\0\0\1\0\6\x02\x42\xac\x11\0\2\0\0\x08\0" + packet
    return b"\2\0\0\0" + packet if link_type == _LOOPBACK else packet


_LINK_TYPES = (_ETHERNET, _COOKED, _RAW_IP, _LOOPBACK)
_CAPTURES: Mapping[str, tuple[str, ...]] = {
    "tcpdump": ("-nn -x", "-nn -X", "-nn -xx", "-nn -XX", "-x -tttt -v"),
    "tshark": (
        "-x", "-T json -x", "-T ek -x", "-T pdml", "-V -x", "-O tcp -x", "-T jsonraw",
        "-T json -x --no-duplicate-keys", "-T fields -e tcp.payload", "-q -z follow,tcp,hex,0",
        "-q -z follow,tcp,raw,0", "-q -z follow,tcp,yaml,0",
    ),
    "ngrep": ("-q -x", "-x", "-x -t", "-q -x -T"),
}  # fmt: skip
_FILES = {"tcpdump": "-r", "tshark": "-r", "ngrep": "-I"}


def _of_file(program: str) -> ShowPackets:
    def show(sent: Sequence[Sent], folder: Path, rng: Random) -> Iterator[PacketPrint]:
        for style in _CAPTURES[program]:
            link_type = rng.choice(_LINK_TYPES)
            path = folder / "capture.pcap"
            path.write_bytes(capture(sent, link_type))
            done = subprocess.run(
                (program, _FILES[program], path, *style.split()),
                capture_output=True, check=False, timeout=SECONDS,
            )  # fmt: skip
            yield PacketPrint(f"{program} {style}, link type {link_type}", done.stdout)

    return show


# -- socat, between two programs


def _socat(sent: Sequence[Sent], folder: Path, rng: Random) -> Iterator[PacketPrint]:
    for style in ("-x", "-x -v"):
        yield PacketPrint(f"socat {style}", _passed_on(style.split(), sent))


def _passed_on(options: Sequence[str], sent: Sequence[Sent]) -> bytes:
    """What socat prints of a connection that it passes on."""
    with closing(socket.create_server(("127.0.0.1", 0))) as broker, tempfile.TemporaryFile() as err:
        port = _free_port()
        sides = f"TCP-LISTEN:{port},bind=127.0.0.1", f"TCP:127.0.0.1:{broker.getsockname()[1]}"
        command = ("socat", *options, *sides)
        process = subprocess.Popen(command, stderr=err)
        try:
            with closing(_connected(port)) as client:
                server, _ = broker.accept()
                with closing(server):
                    for one in sent:
                        ends = (client, server) if one.direction == "request" else (server, client)
                        ends[0].sendall(one.data)
                        _receive(ends[1], len(one.data))
            process.wait(SECONDS)
        finally:
            process.kill()
            process.wait()
        err.seek(0)
        return err.read()


def _free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port: int = server.getsockname()[1]
        return port


def _connected(port: int) -> socket.socket:
    for _ in range(1000):
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        except ConnectionRefusedError:
            time.sleep(0.02)
    raise TimeoutError("socat does not listen")


def _receive(line: socket.socket, size: int) -> None:
    while size > 0:
        size -= len(line.recv(size))


PACKET_PRINTERS: Mapping[str, ShowPackets] = {
    **{program: _of_file(program) for program in _CAPTURES},
    "socat": _socat,
}
