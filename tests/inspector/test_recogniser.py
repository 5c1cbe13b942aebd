"""What a `Recogniser` keeps of the frames of one source, and what it takes cut ones for."""

from __future__ import annotations

import random
import struct
from typing import Any

import pytest

from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    OffsetCommitValue,
    Policy,
    message_class,
)
from kproto.inspector import identification, identify, recognition
from kproto.inspector.identification import examine, may_lack_bytes, resembles_nothing
from kproto.inspector.recognition import (
    BoundedCache,
    Recognised,
    RecognisedFrame,
    Recogniser,
    Repeated,
    are_frames,
)
from tests.tools.test_pasted_frames import join, request

CORRELATION_ID = 77  # of each request of `request`


def sized(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def response(name: str, version: int, correlation_id: int = CORRELATION_ID, **fields: Any) -> bytes:
    body = message_class(name)(**fields).to_body(version)
    return correlation_id.to_bytes(4, "big") + body


def frames(recogniser: Recogniser, data: bytes) -> tuple[RecognisedFrame, ...]:
    return recogniser.recognise(data).frames


def told(recogniser: Recogniser, data: bytes) -> list[tuple[str, bool]]:
    return [(found.remark, found.guessed) for found in frames(recogniser, data)]


SYNC = request("SyncGroupRequest", 1, "c", group_id="g", member_id="m-1", generation_id=2)
PART = ConsumerProtocolAssignment.TopicPartition(topic="orders", partitions=[3])
ASSIGNMENT = ConsumerProtocolAssignment(assigned_partitions=[PART]).to_bytes(0)
SYNCED = response("SyncGroupResponse", 1, assignment=ASSIGNMENT)
HEARTBEAT = request("HeartbeatRequest", 0, "c", group_id="g", generation_id=4, member_id="m")
BEATEN = response("HeartbeatResponse", 0, error_code=27)


@pytest.mark.parametrize(
    ("asked", "answered"),
    [(sized(SYNC), sized(SYNCED)), (SYNC, SYNCED), (sized(HEARTBEAT), sized(BEATEN))],
)
def test_the_response_to_a_request_is_read_as_such_once(asked: bytes, answered: bytes) -> None:
    recogniser = Recogniser()
    before = told(recogniser, answered)
    (sent,) = frames(recogniser, asked)
    (found,) = frames(recogniser, answered)
    assert found.frame.api == sent.frame.api and not found.guessed and not found.rivals
    assert found.frame.api_version == sent.frame.api_version
    assert found.remark == f"read as the response to the {sent.frame.api} request before it"
    assert told(recogniser, answered) == before  # which says nothing of a request


def test_a_response_is_that_of_the_request_with_its_id() -> None:
    recogniser = Recogniser()
    frames(recogniser, sized(HEARTBEAT))
    other = response("HeartbeatResponse", 0, CORRELATION_ID + 1, error_code=27)
    assert all(found.guessed for found in frames(recogniser, sized(other)))
    (found,) = frames(recogniser, sized(BEATEN))
    assert (found.frame.api, found.guessed) == ("Heartbeat", False)


def test_what_a_request_is_kept_for_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two requests wait at most; the third one forgets them."""
    monkeypatch.setattr(recognition, "_MOST_PENDING", 2)
    heartbeats = [HEARTBEAT[:4] + number.to_bytes(4, "big") + HEARTBEAT[8:] for number in range(3)]
    recogniser = Recogniser()
    for heartbeat in heartbeats:
        frames(recogniser, sized(heartbeat))
    answers = [response("HeartbeatResponse", 0, number, error_code=27) for number in range(3)]
    found = [frames(recogniser, sized(answer)) for answer in answers]
    assert [one[0].guessed for one in found] == [True, True, False]


def test_a_guess_names_the_likeliest_and_its_rivals() -> None:
    """Of versions that are laid out alike the newest one is the likeliest."""
    (found,) = frames(Recogniser(), sized(SYNCED))
    assert (found.frame.api, found.frame.api_version, found.guessed) == ("SyncGroup", 3, True)
    assert found.rivals[0] == "SyncGroup 1 to 2"
    assert found.remark == (
        "read as a response without its request, of SyncGroup 3; it may also be of "
        f"{', '.join(found.rivals)}: --as response --api-key SyncGroup --api-version 3"
    )
    (beaten,) = frames(Recogniser(), sized(BEATEN))
    assert beaten.rivals == ("LeaveGroup 0",)


@pytest.mark.parametrize(
    ("body", "apis"),
    [
        ("00c8 0000 0000", ["Heartbeat", "SyncGroup", "EndTxn"]),  # every one has likely numbers
        ("00c9 0000 0000", ["Heartbeat", "EndTxn", "SyncGroup"]),  # error code 201
        ("0100 0000 0000", ["Heartbeat", "EndTxn", "SyncGroup"]),  # error code 256
        ("0101 0000 0000", ["Heartbeat", "SyncGroup", "EndTxn"]),  # nothing takes five hours
        ("ffff 0000 0000", ["SyncGroup", "Heartbeat", "EndTxn"]),  # error code -1
        ("fffe 0000 0000", ["Heartbeat", "SyncGroup", "EndTxn"]),  # none has likely numbers
    ],
)
def test_a_guess_has_numbers_that_a_broker_writes(body: str, apis: list[str]) -> None:
    """In front are an error code and empty bytes of SyncGroup 0, or the throttle time and the error
    code of Heartbeat 1, and of EndTxn 0, which is not about a group."""
    data = CORRELATION_ID.to_bytes(4, "big") + bytes.fromhex(body)
    (found,) = frames(Recogniser(), sized(data))
    names = [found.frame.api, *(rival.partition(" ")[0] for rival in found.rivals)]
    assert [name for name in dict.fromkeys(names) if name in apis] == apis


def test_a_cut_response_may_begin_like_a_request() -> None:
    """A correlation id of 3 is the API key 0, version 3, and the node id 0 no client's name."""
    recogniser = Recogniser()
    asked = request("FindCoordinatorRequest", 0, "c", key="g")
    frames(recogniser, sized(asked[:4] + (3).to_bytes(4, "big") + asked[8:]))
    answer = response("FindCoordinatorResponse", 0, 3, node_id=0, host="broker-0", port=9092)
    (found,) = frames(recogniser, sized(answer)[:-6])
    assert (found.frame.api, found.frame.correlation_id) == ("FindCoordinator", 3)
    assert found.frame.body is not None
    assert [(node.name, node.value) for node in found.frame.body.fields[:2]] == [
        ("error_code", 0), ("node_id", 0),
    ]  # fmt: skip


def test_after_many_guesses_only_their_apis_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A response of another one is a frame of no API then."""
    monkeypatch.setattr(recognition, "_MOST_GUESSES", 2)
    group = response("FindCoordinatorResponse", 0, node_id=1, host="broker-1", port=9092)
    recogniser = Recogniser()
    apis = [
        frames(recogniser, sized(data))[0].frame.api_key for data in (SYNCED, SYNCED, group, SYNCED)
    ]
    assert apis == [14, 14, None, 14]
    (alone,) = frames(Recogniser(), sized(group))
    assert alone.frame.api == "FindCoordinator"


def test_a_request_of_ten_bytes_is_the_shortest() -> None:
    """ApiVersions in version 0 is a header alone, here without a client id."""
    shortest = request("ApiVersionsRequest", 0, None)
    assert len(shortest) == 10
    (found,) = frames(Recogniser(), shortest)
    assert found.frame.api == "ApiVersions"


@pytest.mark.parametrize(
    ("client_id", "end", "are_frames"),
    [("pay-1", -5, True), ("pay-1", -12, True), (None, -5, False), ("", -5, False)],
)
def test_a_cut_request_is_one_if_it_names_its_client(
    client_id: str | None, end: int, are_frames: bool
) -> None:
    assert bool(frames(Recogniser(), sized(join(5, client_id))[:end])) is are_frames


def test_the_first_request_of_a_client_has_the_id_0() -> None:
    data = join(5, "pay-1")
    first = data[:4] + bytes(4) + data[8:]
    assert frames(Recogniser(), sized(first)[:-5])


def test_frames_of_no_api_are_not_told() -> None:
    assert are_frames(sized(SYNC) * 3) == 3 and are_frames(sized(SYNCED)) == 1
    assert are_frames(sized(b"\xff" * 30)) == 0
    assert are_frames(sized(SYNC)[:-1]) == are_frames(b"") == 0


def test_a_policy_that_refuses_nothing_refuses_no_part_of_a_frame() -> None:
    recognised = Recogniser().recognise(sized(join(5, "pay-1"))[:-5])
    refused = {
        policy: any(part.refused for part, _ in recognised.parts(policy)) for policy in Policy
    }
    assert refused == {Policy.LENIENT: False, Policy.KAFKA: True, Policy.STRICT: True}


def test_a_response_with_tags_is_guessed() -> None:
    body = message_class("SyncGroupResponse")(protocol_name="range", assignment=ASSIGNMENT)
    data = CORRELATION_ID.to_bytes(4, "big") + b"\0" + body.to_body(5)
    (found,) = frames(Recogniser(), sized(data))
    assert (found.frame.api, found.frame.api_version) == ("SyncGroup", 5)


def test_a_cut_request_may_lack_most_of_a_list() -> None:
    topic: Any = vars(message_class("MetadataRequest"))["MetadataRequestTopic"]
    topics = [topic(name=f"topic-{number}") for number in range(1000)]
    asked = request("MetadataRequest", 0, "pay-1", topics=topics)
    (found,) = frames(Recogniser(), sized(asked)[:100])
    assert (found.frame.direction, found.frame.api) == ("request", "Metadata")


def test_a_cut_response_without_its_request_is_no_frame() -> None:
    assert frames(Recogniser(), sized(SYNCED)) and not frames(Recogniser(), sized(SYNCED)[:-4])


def test_a_response_without_its_size_is_guessed_where_it_has_text() -> None:
    (found,) = frames(Recogniser(), SYNCED)
    assert found.guessed and found.frame.api == "SyncGroup"
    assert not frames(Recogniser(), BEATEN)


def test_a_cut_request_with_an_id_that_nobody_sends_is_none() -> None:
    data = join(5, "pay-1")
    negative = data[:4] + struct.pack(">i", -1) + data[8:]
    assert not frames(Recogniser(), sized(negative)[:-5])


# -- messages


def test_a_message_of_which_only_bytes_were_cut() -> None:
    """Nothing in it is text; the user data may be as long as its length says, or nearly."""
    for length, is_one in ((280, True), (281, False)):
        data = bytes.fromhex(f"0000 00000000 {length:08x}") + bytes(60)
        assert (SUBSCRIPTION in {one.name for one in identify(data)}) is is_one


SUBSCRIPTION, ASSIGNED = "ConsumerProtocolSubscription", "ConsumerProtocolAssignment"


def test_four_bytes_of_user_data_are_no_text_of_a_cut_record() -> None:
    """They could be the text "t" in the value of a commit that ends there."""
    found = identify(bytes.fromhex("0000 00000000 00000004 00017400"))
    assert {one.name for one in found if one.rank == 1} == {SUBSCRIPTION, ASSIGNED}


def test_what_a_program_is_known_to_have_cut() -> None:
    """The front of an empty subscription of version 1, and a whole response."""
    data = bytes.fromhex("0001 00000000")
    names = []
    for is_cut in (True, False):
        message = Recogniser().recognise(data, is_cut=is_cut).message
        assert message is not None
        names.append(message.decoded.message_class.NAME)
    assert names == [SUBSCRIPTION, "HeartbeatResponse"]


def test_the_least_credible_deviation_counts() -> None:
    """Empty user data is a matter of style, and a version that is not known is none."""
    known, unknown = (
        identify(bytes.fromhex(f"000{version} 00000001 0006 6f7264657273 00000000 {rest}"))[0]
        for version, rest in ((0, ""), (5, "00000000 ffffffff ffff"))
    )
    assert (known.is_clean, unknown.is_clean, unknown.has_text) == (True, False, True)


def test_a_body_is_read_in_the_newest_version_that_takes_all_of_it() -> None:
    """Version 3 has an instance id behind what the versions 0 to 2 have."""
    body = bytes.fromhex("0001 67 00000001 0001 6d")
    heartbeat = message_class("HeartbeatRequest")
    assert examine(body, heartbeat).decoded.version == 2
    assert examine(body + bytes.fromhex("0001 69"), heartbeat).decoded.version == 3


@pytest.mark.parametrize(("topics", "has_text"), [("00000001 0001 74", True), ("00000000", False)])
def test_the_text_of_a_message_is_told(topics: str, has_text: bool) -> None:
    assert examine(bytes.fromhex(f"0000 {topics} ffffffff")).has_text is has_text


def test_what_is_cut_without_a_text_may_be_whole_if_it_is_common() -> None:
    """An empty subscription and an empty assignment come before the beginnings of records."""
    found = identify(bytes.fromhex("000000000000ffffffff"), is_cut=True)
    assert {one.name for one in found if one.rank == 1} == {SUBSCRIPTION, ASSIGNED}
    assert {one.name for one in found if one.rank == 2} >= {"GroupMetadataValue"}


@pytest.mark.parametrize(("number", "is_clean"), [(2**20 - 1, True), (2**20, False)])
def test_a_partition_may_be_one_of_a_million(number: int, is_clean: bool) -> None:
    part = ConsumerProtocolAssignment.TopicPartition(topic="orders", partitions=[number])
    best = identify(ConsumerProtocolAssignment(assigned_partitions=[part]).to_bytes(0))[0]
    assert (best.name, best.is_clean, best.is_likely) == (ASSIGNED, is_clean, True)


@pytest.mark.parametrize(
    ("data", "lost"),
    [
        (ConsumerProtocolSubscription(topics=["caf?"]).to_bytes(0), "1 byte"),
        (ConsumerProtocolSubscription(topics=["a"], user_data=b"?").to_bytes(0), ""),
        (ConsumerProtocolSubscription(topics=["a"], user_data=b"? ??").to_bytes(0), "3 bytes"),
        (OffsetCommitValue(metadata="why?").to_bytes(3), ""),
    ],
)
def test_question_marks_may_stand_for_bytes(data: bytes, lost: str) -> None:
    """No topic has one in its name, and two behind each other are seldom meant."""
    plain = data.replace(b"\xff", b"\0")  # which is no ASCII
    said = may_lack_bytes(examine(plain).decoded)
    assert bool(said) is bool(lost)
    assert not lost or f"up to {lost} may be lost" in said


@pytest.mark.parametrize(
    ("data", "label"), [(bytes(4), "Key: "), (bytes.fromhex("000000000007"), "Value: ")]
)
def test_a_marker_of_a_transaction_is_no_message(data: bytes, label: str) -> None:
    message = Recogniser().recognise(data, label).message
    assert message is not None
    assert (message.identified, message.refused) == (False, False)
    assert message.rivals == message.equals == ()
    assert "transaction marker" in resembles_nothing(data)


# -- what is kept


def test_a_cache_is_bounded_by_its_bytes() -> None:
    cache = BoundedCache[str](most=1612, longest=1000)
    for key, size in (("a", 100), ("b", 100), ("c", 489), ("d", 488)):
        assert cache.keep(key, size, key.upper()) == key.upper()
    assert [cache.get(key) for key in "abcd"] == [None, "B", None, "D"]  # c is too long
    assert cache.size == 100 + 488 + 2 * 512


def test_what_was_made_of_an_object_is_made_once() -> None:
    repeated = Repeated[int]()
    made: list[int] = []

    def make() -> int:
        made.append(len(made))
        return made[-1]

    one, second = object(), object()
    assert [repeated.of(source, make) for source in (one, second, one, second)] == [0, 1, 0, 1]
    others = [object() for _ in range(63)]
    assert [repeated.of(source, make) for source in others] == [*range(2, 65)]
    assert repeated.of(second, make) == 1  # the last 64 are kept
    assert repeated.of(one, make) == 65


def _refused(rng: random.Random) -> bytes:
    """A message that lacks its end, or has other bytes behind the first topic."""
    topic = f"t{rng.randrange(1000):03}"
    data = ConsumerProtocolSubscription(topics=[topic]).to_bytes(version=rng.choice([1, 3]))
    if rng.random() < 0.9:
        return data[: -rng.choice([2, 4])]
    return data[: rng.randint(9, 12)] + rng.randbytes(rng.randint(2, 9))


def test_many_refused_messages_are_read_as_each_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """One like 20 before it is decoded as what those were, any other as all that it may be."""
    rng = random.Random(4)  # noqa: S311
    messages = [_refused(rng) for _ in range(250)]
    alone = [Recogniser().recognise(data) for data in messages]
    readings: list[str] = []
    read = identification._Table._read

    def counted(self: identification._Table, name: str) -> None:
        readings.append(name)
        read(self, name)

    monkeypatch.setattr(identification._Table, "_read", counted)
    counts = []
    recogniser = Recogniser()
    for data, expected in zip(messages, alone, strict=True):
        before = len(readings)
        found = recogniser.recognise(data)
        counts.append(len(readings) - before)
        assert told_of(found) == told_of(expected)
    assert 2 * sum(counts[200:]) < sum(counts[:50])


def told_of(found: Recognised) -> tuple[Any, ...]:
    message = found.message
    if message is None:
        return (found.remark,)
    name = message.decoded.message_class.NAME
    return found.remark, name, str(message.error), message.rivals, message.equals, message.doubt
