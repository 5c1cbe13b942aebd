"""Connections that tshark decrypted and printed: what tshark 4.0.17 printed of a client of TLS 1.3
and one of TLS 1.2, which joined a group (Python's ssl, tcpdump on the loopback interface)."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.capture import Frame, Summary
from kproto.capture.packets.followed import is_followed, read_followed
from kproto.codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription

# With TLS 1.3 the broker is node 0, since its session ticket comes first.
TLS_13 = (
    b"===================================================================\n"
    b"Follow: tls,raw\n"
    b"Filter: tcp.stream eq 0\n"
    b"Node 0: 127.0.0.1:9093\n"
    b"Node 1: :0\n"
    b"\t00000058000b000200000001000a636f6e73756d\n"
    b"\t65722d310009746c732d67726f7570000027100000ea6000000008636f6e73756d6572000000010"
    b"00572616e67650000001600010000000100066f7264657273ffffffff00000000\n"
    b"000000420000000100000000000000000001000572616e676500036d2d3100036d2d310000000100"
    b"036d2d310000001600010000000100066f7264657273ffffffff00000000\n"
    b"\t00000057000e000100000002000a636f6e73756d\n"
    b"\t65722d310009746c732d67726f75700000000100036d2d310000000100036d2d310000002200010"
    b"000000100066f726465727300000003000000000000000100000002ffffffff\n"
    b"00000030000000020000000000000000002200010000000100066f72646572730000000300000000"
    b"0000000100000002ffffffff\n"
    b"===================================================================\n"
)
TLS_12 = (
    b"===================================================================\n"
    b"Follow: tls,raw\n"
    b"Filter: tcp.stream eq 0\n"
    b"Node 0: 127.0.0.1:43562\n"
    b"Node 1: :0\n"
    b"00000058000b000200000001000a636f6e73756d\n"
    b"65722d310009746c732d67726f7570000027100000ea6000000008636f6e73756d65720000000100"
    b"0572616e67650000001600010000000100066f7264657273ffffffff00000000\n"
    b"\t000000420000000100000000000000000001000572616e676500036d2d3100036d2d31000000010"
    b"0036d2d310000001600010000000100066f7264657273ffffffff00000000\n"
    b"00000057000e000100000002000a636f6e73756d\n"
    b"65722d310009746c732d67726f75700000000100036d2d310000000100036d2d3100000022000100"
    b"00000100066f726465727300000003000000000000000100000002ffffffff\n"
    b"\t00000030000000020000000000000000002200010000000100066f7264657273000000030000000"
    b"00000000100000002ffffffff\n"
    b"===================================================================\n"
)


def frames(text: bytes) -> tuple[list[Frame], Summary]:
    summary = Summary()
    return list(read_followed(io.BytesIO(text), "followed", summary)), summary


@pytest.mark.parametrize("text", [TLS_13, TLS_12], ids=["1.3", "1.2"])
def test_what_tshark_prints(text: bytes) -> None:
    assert is_followed(text)
    assert is_followed(b"\n" + text)
    found, summary = frames(text)
    assert [(frame.direction, frame.api_key) for frame in found] == [
        ("request", 11), ("response", 11), ("request", 14), ("response", 14),
    ]  # fmt: skip
    assert all(frame.body is not None and frame.body.complete for frame in found)
    assert not summary.skipped
    join, sync = found[0].body, found[3].body
    assert join is not None and join.message is not None
    assert sync is not None and sync.message is not None
    subscription = join.message.protocols[0].metadata
    assert ConsumerProtocolSubscription.from_bytes(subscription).topics == ("orders",)
    [assigned] = ConsumerProtocolAssignment.from_bytes(sync.message.assignment).assigned_partitions
    assert (assigned.topic, assigned.partitions) == ("orders", (0, 1, 2))


def test_several_connections() -> None:
    found, _ = frames(TLS_13 + TLS_12.replace(b"stream eq 0", b"stream eq 7"))
    assert [frame.connection.number for frame in found if frame.connection] == [0] * 4 + [7] * 4


def test_a_line_that_is_no_hex_is_told() -> None:
    found, summary = frames(TLS_12.replace(b"0000004200", b"0000004?00"))
    assert len(found) < 4
    assert [skip.reason for skip in summary.skipped][:1] == ["line that is no hex"]


@given(st.lists(st.sampled_from(TLS_13.splitlines(True)) | st.binary(max_size=60), max_size=9))
def test_any_lines_give_frames_or_are_told(lines: list[bytes]) -> None:
    found, _ = frames(b"".join(lines))
    assert all(isinstance(frame, Frame) for frame in found)
