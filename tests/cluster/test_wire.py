"""The protocol of a connection without I/O: frames, negotiation, authentication."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.cluster import AuthenticationFailed, NotKafka, Unreachable
from kproto.cluster.connection.negotiation import Opened, opening
from kproto.cluster.connection.sasl import (
    Mechanism,
    OAuthBearer,
    Plain,
    SaltedPasswords,
    Scram,
    unsecured_token,
)
from kproto.cluster.connection.wire import Ask, Exchange, Raw, Wire
from kproto.codec import (
    ApiVersionsRequest,
    ApiVersionsResponse,
    DescribeGroupsRequest,
    DescribeGroupsResponse,
    Message,
    SaslAuthenticateResponse,
    SaslHandshakeResponse,
    message_class,
)
from tests.cluster.brokers import framed

ApiVersion = ApiVersionsResponse.ApiVersion


def versions(**highest: int) -> ApiVersionsResponse:
    keys = {name: message_class(f"{name}Request").API_KEY or 0 for name in highest}
    return ApiVersionsResponse(
        api_keys=tuple(
            ApiVersion(api_key=keys[name], min_version=0, max_version=number)
            for name, number in highest.items()
        )
    )


ALL = versions(ApiVersions=4, SaslHandshake=1, SaslAuthenticate=2, DescribeGroups=5)


def talk(mechanism: Mechanism | None, answer: Callable[[Ask | Raw], tuple[Any, int]]) -> Opened:
    """Run the dialogue over real frames; `answer` returns a response and its version."""
    dialogue = opening("broker:9092", mechanism)
    wire = Wire("broker:9092")
    step = next(dialogue)
    while True:
        sent = wire.send(step)
        response, version = answer(step)
        if isinstance(response, bytes):
            frame = len(response).to_bytes(4, "big") + response
        else:
            frame = framed(response, version, int.from_bytes(sent[8:12], "big"))
        (received,) = wire.receive(frame)
        try:
            step = dialogue.send(received)
        except StopIteration as done:
            found: Opened = done.value
            return found


# -- frames


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_an_answer_comes_in_pieces_of_any_size(size: int) -> None:
    wire = Wire("b")
    wire.send(Ask(ApiVersionsRequest(), 3))
    wire.send(Ask(ApiVersionsRequest(), 0))
    data = framed(ALL, 3, 1) + framed(ALL, 0, 2)
    found = [
        answer
        for start in range(0, len(data), size)
        for answer in wire.receive(data[start : start + size])
    ]
    assert [each.response.api_keys for each in found if isinstance(each, Exchange)] == [
        ALL.api_keys
    ] * 2


def test_a_controller_is_called_one() -> None:
    """The controller's listener of Apache Kafka 4.3.1 names Vote (52), and no Metadata."""
    vote = ApiVersion(api_key=52, min_version=0, max_version=2)
    answer = ApiVersionsResponse(api_keys=(*versions(ApiVersions=4).api_keys, vote))
    with pytest.raises(NotKafka, match="is the port of a KRaft controller"):
        talk(None, lambda _: (answer, 3))


def test_what_was_not_asked_for_is_no_answer() -> None:
    with pytest.raises(NotKafka, match="what was not asked for"):
        list(Wire("b").receive(framed(ALL, 0, 1)))


def test_a_large_frame_is_refused_before_it_is_there() -> None:
    """The first answer is small; later ones may be large, and not without a bound."""
    wire = Wire("b")
    wire.send(Ask(ApiVersionsRequest(), 0))
    with pytest.raises(NotKafka, match="a size of 1,048,577 bytes"):
        list(wire.receive((1048577).to_bytes(4, "big")))
    wire = Wire("b")
    wire.send(Ask(ApiVersionsRequest(), 0))
    list(wire.receive(framed(ALL, 0, 1)))
    wire.send(Ask(ApiVersionsRequest(), 0))
    assert list(wire.receive((1048577).to_bytes(4, "big"))) == []
    with pytest.raises(Unreachable, match="in the middle"):
        list(wire.receive(b""))


def test_a_body_that_is_none() -> None:
    wire = Wire("b")
    wire.send(Ask(DescribeGroupsRequest(groups=("g",)), 5))
    with pytest.raises(NotKafka, match="DescribeGroups version 5 with what is none"):
        list(wire.receive(bytes.fromhex("00000009 00000001 00 00000000")))


# -- ApiVersions


@pytest.mark.parametrize(
    "tags",
    [b"\x80\x00", b"\x02\x7f\x01a\x7f\x01b", b"\x82\x00\x09\x00\x05\x81\x00c"],
    ids=bytes.hex,
)
def test_a_header_may_have_any_tags(tags: bytes) -> None:
    """Repeated, not ascending, or with numbers of more bytes than they need: readers take all."""
    wire = Wire("b")
    (answer, version) = (DescribeGroupsResponse(throttle_time_ms=7), 5)
    wire.send(Ask(DescribeGroupsRequest(groups=("g",)), version))
    plain = framed(answer, version, 1)
    data = plain[4:8] + tags + plain[9:]
    (received,) = wire.receive(len(data).to_bytes(4, "big") + data)
    assert isinstance(received, Exchange) and received.response == answer


@pytest.mark.parametrize(
    ("told", "second"),
    [((), 0), ((ApiVersion(api_key=18, min_version=0, max_version=1),), 1)],
    ids=["before 2.4", "since 2.4"],
)
def test_the_fallback_of_kip_511(told: tuple[ApiVersion, ...], second: int) -> None:
    asked = []

    def answer(step: Ask | Raw) -> tuple[Message, int]:
        assert isinstance(step, Ask)
        asked.append(step.version)
        if step.version == 3:
            return ApiVersionsResponse(error_code=35, api_keys=told), 0
        return ALL, step.version

    opened = talk(None, answer)
    assert asked == [3, second]
    assert opened.version(DescribeGroupsRequest, "b") == 5


# -- SASL


def sasl(answers: list[bytes], error: int = 0, handshake: int = 1) -> Any:
    sent: list[bytes] = []

    def answer(step: Ask | Raw) -> tuple[Any, int]:
        if isinstance(step, Raw):
            sent.append(step.data)
            return answers.pop(0), 0
        if step.message.API_KEY == 18:
            return versions(
                ApiVersions=3, SaslHandshake=handshake, SaslAuthenticate=2
            ), step.version
        if step.message.API_KEY == 17:
            return SaslHandshakeResponse(mechanisms=("PLAIN",)), step.version
        sent.append(step.message.auth_bytes)  # type: ignore[attr-defined]
        said = SaslAuthenticateResponse(
            error_code=error, auth_bytes=answers.pop(0), session_lifetime_ms=5000
        )
        return said, step.version

    return answer, sent


def test_plain() -> None:
    answer, sent = sasl([b""])
    assert talk(Plain("alice", "hunter2"), answer).lifetime_ms == 5000
    assert sent == [b"\0alice\0hunter2"]


def test_tokens_without_a_header_after_handshake_0() -> None:
    """Brokers before 1.0 (KIP-43)."""
    answer, sent = sasl([b""], handshake=0)
    assert talk(Plain("alice", "hunter2"), answer).lifetime_ms == 0
    assert sent == [b"\0alice\0hunter2"]


NONCE = "rOprNGfwEbeRWgbNEkqO"
FIRST = f"r={NONCE}%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096".encode()
FINAL = b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="


def scram(salted: SaltedPasswords | None = None) -> Scram:
    return Scram("SCRAM-SHA-256", "user", "pencil", salted or SaltedPasswords(), lambda: NONCE)


def test_scram_is_the_exchange_of_rfc_7677() -> None:
    answer, sent = sasl([FIRST, FINAL])
    talk(scram(), answer)
    assert sent == [
        b"n,,n=user,r=rOprNGfwEbeRWgbNEkqO",
        b"c=biws,r=rOprNGfwEbeRWgbNEkqO%%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=%s"
        % b"dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
    ]


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ([b"r=other,s=AAAA,i=4096"], "nonce"),
        ([f"r={NONCE},s=AAAA,i=4096".encode()], "nonce"),
        ([FIRST.replace(b"i=4096", b"i=1")], "iterations"),
        ([FIRST.replace(b"i=4096", b"i=2000000000")], "iterations"),
        ([FIRST.replace(b"i=4096", b"i=x")], "iterations"),
        ([FIRST.replace(b"i=4096", b"i=0000000040969999999999")], "iterations"),
        ([FIRST.replace(b"i=4096", "i=\u0664\u0660\u0669\u0666".encode())], "iterations"),
        ([FIRST.replace(b"==", b"")], "base64"),
        ([FIRST, FINAL[:-4] + b"AAA="], "signature"),
        ([FIRST, b""], "signature"),
        ([b"e=unknown-user"], "SCRAM error"),
        ([b"\xff"], "no text"),
    ],
)
def test_a_broker_that_does_not_know_the_password(answers: list[bytes], said: str) -> None:
    answer, _ = sasl(list(answers))
    with pytest.raises(AuthenticationFailed, match=said) as failed:
        talk(scram(), answer)
    assert "pencil" not in str(failed.value)


def test_brokers_of_one_salt_cost_one_hash_and_others_a_million_iterations_in_all() -> None:
    salted = SaltedPasswords()
    for _ in range(300):  # of 4,096 iterations each
        talk(scram(salted), sasl([FIRST, FINAL])[0])
    dear = FIRST.replace(b"i=4096", b"i=999999")
    with pytest.raises(AuthenticationFailed, match="iterations"):
        talk(scram(salted), sasl([dear, FINAL])[0])


def test_a_refused_login_names_the_user_and_no_password() -> None:
    answer, _ = sasl([b""], error=58)
    with pytest.raises(AuthenticationFailed, match="user 'alice'") as failed:
        talk(Plain("alice", "hunter2"), answer)
    assert "hunter2" not in str(failed.value)


def test_a_mechanism_that_the_broker_does_not_take() -> None:
    def answer(step: Ask | Raw) -> tuple[Any, int]:
        assert isinstance(step, Ask)
        if step.message.API_KEY == 18:
            return ALL, step.version
        return SaslHandshakeResponse(error_code=33, mechanisms=("GSSAPI",)), step.version

    with pytest.raises(AuthenticationFailed, match="it takes: GSSAPI"):
        talk(Plain("alice", "hunter2"), answer)


def test_mechanisms_without_a_name_that_rfc_4422_allows_are_not_shown() -> None:
    told = ("\x1b[2J", "", "X" * 10_000, "GSSAPI", *["SPAM"] * 1000)

    def answer(step: Ask | Raw) -> tuple[Any, int]:
        assert isinstance(step, Ask)
        if step.message.API_KEY == 18:
            return ALL, step.version
        return SaslHandshakeResponse(error_code=33, mechanisms=told), step.version

    with pytest.raises(AuthenticationFailed, match=r"it takes: GSSAPI(, SPAM){19}$"):
        talk(Plain("alice", "hunter2"), answer)


@given(st.lists(st.binary(max_size=60) | st.builds(
    b"r=%s%s,s=%s,i=%s".__mod__,
    st.tuples(st.just(b"rOprNGfwEbeRWgbNEkqO"), st.binary(max_size=4), st.binary(max_size=8),
              st.sampled_from([b"4096", b"-1", b"9" * 5000, b"000000004096" + b"9" * 9, b""])),
), max_size=4), st.integers(-2, 130))  # fmt: skip
def test_any_answers_to_a_login_without_its_password_are_refused(
    answers: list[bytes], error: int
) -> None:
    answer, _ = sasl([*answers, b"", b""], error=error)
    with pytest.raises(AuthenticationFailed):  # nobody who answers so knows the password
        talk(scram(), answer)


def test_a_token_is_sent_as_rfc_7628_has_it() -> None:
    answer, sent = sasl([b""])
    talk(OAuthBearer("abc", {"cluster": "c"}), answer)
    assert sent == [b"n,,\1auth=Bearer abc\1cluster=c\1\1"]


def test_a_token_that_is_refused() -> None:
    answer, _ = sasl([b'{"status":"invalid_token"}'])
    with pytest.raises(AuthenticationFailed, match="invalid_token"):
        talk(OAuthBearer("abc"), answer)


def test_an_unsecured_token() -> None:
    """RFC 7519, 6.1: the header of an unsecured token, and an empty signature."""
    made = unsecured_token({"sub": "alice"})
    assert made == "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSJ9."
    assert all("hunter2" not in repr(each) for each in (Plain("a", "hunter2"), scram()))
