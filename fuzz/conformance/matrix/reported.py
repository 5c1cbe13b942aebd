"""Reports by others about these clients, from reading or running them: asked again, and compared.

A report that is not confirmed stays in the table, with the reason why the measurement differs. The
matrix keeps the answers, its page shows what differs, and a test compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ....codec import StickyAssignorUserData
from ...subject import Subject
from ..questions import answered, asked
from .pairs import ASSIGNMENT, SUBSCRIPTION

STICKY = StickyAssignorUserData.NAME


class Report(NamedTuple):
    """What is said to happen; no two reports say the same."""

    about: str
    clients: str
    """The testees, separated by spaces."""
    question: str
    """Bytes in hex, or a value in Kafka's JSON form."""
    answers: str
    """A pattern of the answers that confirm the report."""
    message: str = SUBSCRIPTION
    version: int | None = None
    """The version to write, or that of bytes with nothing in front."""
    differs: str = ""
    """Why the answers differ from the report; "" if they do not."""

    @property
    def names(self) -> list[str]:
        """The testees that the report is about."""
        return self.clients.split()


class Answer(NamedTuple):
    """A client's answer to the question of a report."""

    about: str
    client: str
    """The testee's name."""
    said: str

    @property
    def borne_out(self) -> bool:
        """Whether the answer confirms the report."""
        return re.match(BY_ABOUT[self.about].answers, self.said, re.DOTALL) is not None


def answers_of(subject: Subject, name: str) -> list[Answer]:
    """Return a testee's answers to all reports about it."""
    return [
        Answer(
            report.about,
            name,
            answered(subject, asked(report.question, report.message, report.version)),
        )
        for report in REPORTS
        if name in report.names
    ]


def contradicted(answers: Iterable[Answer]) -> list[Answer]:
    """Return the answers that differ from the table: a report not confirmed without a reason, or
    confirmed despite one.
    """
    return [
        answer for answer in answers if answer.borne_out == bool(BY_ABOUT[answer.about].differs)
    ]


# -- what was reported

_JAVA = "java-2.4 java-2.8 java-3.9 java-4.4"
_KAFKA_GO = "kafka-go-client kafka-go-describe kafka-go-reader"
_FRANZ_GO = "franz-go-kgo franz-go-kmsg"
_PYTHON = "aiokafka kafka-python kafka-python-2"
_NODE = "kafkajs platformatic"

_ONE_TOPIC = "0001 61"
_LONG = "x" * 32_768  # a string's length is an int16

_KILLERS = (
    Report("Metadata of no bytes aborts the process, by an assertion.", "librdkafka", "",
           r"crash: died of SIGABRT: .*Assertion"),
    Report("A count of 2147483647 topics aborts the process.", "kafka-protocol",
           "0000 7fffffff 0001 61", r"memory: died of SIGABRT"),
    Report("A count of 2147483647 topics runs out of memory.", "kafka-go-client",
           "0000 7fffffff 0001 61", r"memory: .*out of memory"),
    Report("A count of 2147483647 topics reserves 16 GiB.", "kio", "0000 7fffffff 0001 61",
           r"memory: "),
    Report("A string of length -2 moves the reader backwards until memory is gone.", _NODE,
           "0000 7fffffff fffe", r"memory: |hang: "),
    Report("A count of 10,000,000 owned topics costs 722 MiB.", "kafka-go-client",
           "0001 00000001 0001 61 ffffffff 00989680 0001 61 00000000", r"reads ",
           differs="It does cost that: with --memory 5120 --timeout 10 it reads it, in 709 MiB "
           "more. What is bounded here is a process's addresses, of which Go's runtime has 1.2 GiB "
           "before the first question."),
)  # fmt: skip

_OLD_BODY = "0001 00000001 0001 61 ffffffff"
_V1_NULLS = "0001 ffffffff ffffffff ffffffff"
_READING = (
    Report("A version 1 label on a version 0 body is refused.",
           f"{_JAVA} java kafka-python kio franz-go-kmsg kafka-protocol librdkafka", _OLD_BODY,
           r"refuses: "),
    Report("A version 1 label on a version 0 body is accepted.",
           f"sarama franz-go-kgo {_NODE} kafka-go-describe kafka-python-2 aiokafka", _OLD_BODY,
           r"reads .*'topics': \['a'\]"),
    Report("The valid empty subscription is left out of the assignment.", "librdkafka",
           "0000 00000000 ffffffff", r"refuses: the leader leaves the member out"),
    Report("More than 10,000 topics are refused.", "librdkafka",
           f"0000 00002711 {_ONE_TOPIC * 10_001} ffffffff", r"refuses: "),
    Report("A topic's name is cut at a zero byte.", "librdkafka",
           "0000 00000001 0003 610062 ffffffff", r"reads .*'topics': \['a'\]"),
    Report("Null topics are None.", "kafka-python kafka-python-2 aiokafka kio",
           "0000 ffffffff ffffffff", r"reads .*'topics': None"),
    Report("Null topics are none.",
           f"{_FRANZ_GO} sarama {_NODE} kafka-go-describe kafka-go-reader",
           "0000 ffffffff ffffffff", r"reads .*'topics': \[\]"),
    Report("Null topics are none, in version 1.", "kafka-go-client", _V1_NULLS,
           r"reads .*'topics': \[\]"),
    Report("Null topics are refused.", f"{_JAVA} java kafka-protocol librdkafka",
           "0000 ffffffff ffffffff", r"refuses: "),
    Report("Null topics: a RuntimeException, before KAFKA-20570.", "java-2.8 java-3.9",
           "0001 ffffffff", r"refuses: RuntimeException: non-nullable field topics"),
    Report("A topic that is null is null.", "kafka-python kafka-python-2 aiokafka kafkajs",
           "0000 00000001 ffff ffffffff", r"reads .*'topics': \[None\]"),
    Report('A topic that is null is "".',
           "sarama platformatic librdkafka kafka-go-describe kafka-go-reader",
           "0000 00000001 ffff ffffffff", r"reads .*'topics': \[''\]"),
    Report('A topic that is null is "", in version 1.', "kafka-go-client",
           "0001 00000001 ffff ffffffff 00000000", r"reads .*'topics': \[''\]"),
    Report("Null partitions are None.", "kafka-python kafka-python-2 aiokafka kio",
           "0000 00000001 0001 61 ffffffff ffffffff", r"reads .*'partitions': None", ASSIGNMENT),
    Report("A count of -2 is none.", f"{_PYTHON} {_FRANZ_GO} kafka-go-describe kafka-go-reader",
           "0000 fffffffe ffffffff", r"reads .*'topics': \[\]"),
    Report("A count of -2 is refused.", "sarama kafkajs kio kafka-protocol librdkafka",
           "0000 fffffffe ffffffff", r"refuses: "),
    Report("User data of length -2 is null.", f"java java-4.4 {_FRANZ_GO}",
           "0000 00000001 0001 61 fffffffe", r"reads .*'userData': None"),
    Report("User data of length -2: NegativeByteLength.", "kio",
           "0000 00000001 0001 61 fffffffe", r"refuses: .*NegativeByteLength"),
    Report("User data that ends too early is accepted.", "kafkajs",
           "0000 00000001 0001 61 00000005 6162", r"reads .*'userData': 'YWI='"),
    Report("User data that ends too early: an IllegalArgumentException, before KAFKA-20570.",
           "java-2.8 java-3.9", "0000 00000001 0001 61 00000005 6162",
           r"refuses: IllegalArgumentException"),
    Report("Empty user data stays another than null.", f"{_JAVA} java",
           "0000 00000001 0001 61 00000000", r"reads .*'userData': ''"),
    Report("Where the bytes end, one entry of zeros is made up.", "kafka-go-client",
           "0001 00000001 0001 61 ffffffff 00000001",
           r"reads .*\[\{'partitions': \[\], 'topic': ''\}\]"),
    Report("Everything is read as version 1.", "kafka-go-client",
           "0003 00000001 0001 61 ffffffff 00000000 00000007 ffff", r"reads .*'topics': \['a'\]"),
    Report("Versions 2 and 3 are refused: bytes are left over.", "kafka-go-describe",
           "0003 00000001 0001 61 ffffffff 00000000 00000007 ffff",
           r"refuses: .*bytes remaining: 10"),
    Report("A topic twice in an assignment: both are kept.", "java",
           "0000 00000002 0001 61 00000001 00000000 0001 61 00000001 00000001 ffffffff",
           r"reads .*\[0\].*\[1\]", ASSIGNMENT),
    Report("A topic twice in an assignment: the last one counts.", "sarama kafkajs",
           "0000 00000002 0001 61 00000001 00000000 0001 61 00000001 00000001 ffffffff",
           r"reads (?!.*\[0).*\[1\]", ASSIGNMENT),
    Report("A topic twice in an assignment: they are merged.", "kafka-go-client",
           "0000 00000002 0001 61 00000001 00000000 0001 61 00000001 00000001 ffffffff",
           r"reads .*\[0, 1\]", ASSIGNMENT),
    Report("A topic twice in an assignment: they are merged, in kafka-go's other paths too.",
           "kafka-go-describe kafka-go-reader",
           "0000 00000002 0001 61 00000001 00000000 0001 61 00000001 00000001 ffffffff",
           r"reads .*\[0, 1\]", ASSIGNMENT,
           differs="The three paths differ, which was reported of one of them: the Client merges, "
           "DescribeGroups keeps both entries, and in the Reader the last one counts."),
    Report("An owned topic twice: the last one counts.", "kafka-go-client",
           "0001 00000001 0001 61 ffffffff 00000002 0001 61 00000001 00000000 0001 61 00000001 "
           "00000001", r"reads (?!.*\[0).*\[1\]"),
    Report("A topic named __proto__ is lost.", "kafkajs",
           "0000 00000001 0009 5f5f70726f746f5f5f 00000001 00000000 ffffffff",
           r"reads .*'assignedPartitions': \[\]", ASSIGNMENT),
    Report("Half of a surrogate pair is one U+FFFD.", f"{_JAVA} java",
           "0000 00000001 0003 eda080 ffffffff", "reads .*'\ufffd'"),
    Report("Half of a surrogate pair is three U+FFFD.", _NODE,
           "0000 00000001 0003 eda080 ffffffff", "reads .*'\ufffd\ufffd\ufffd'"),
    Report("Half of a surrogate pair is refused.", f"{_PYTHON} kio kafka-protocol",
           "0000 00000001 0003 eda080 ffffffff", r"refuses: "),
    Report("Half of a surrogate pair stays as it is.",
           f"{_FRANZ_GO} sarama kafka-go-describe kafka-go-reader librdkafka",
           "0000 00000001 0003 eda080 ffffffff", "reads (?!.*\ufffd)",
           differs="A string in Go or C holds any bytes, and the clients replace none. The answers "
           "come as JSON, which cannot hold them: each is shown as one U+FFFD."),
)  # fmt: skip

_V100 = "0064 00000001 0001 61 ffffffff 00000000 00000007 ffff 0102"
_LEFT = "0000 00000001 0001 61 ffffffff 0102"
_NEGATIVE = "ffff 00000001 0001 61 ffffffff"
_VERSIONS = (
    Report("Version 100 is read with the newest known layout.",
           f"java java-3.9 java-4.4 kafka-python {_FRANZ_GO} platformatic", _V100,
           r"reads .*'generationId': 7"),
    Report("Version 100 is read, and shows as the version that it is read as.", "kafka-python",
           _V100, r"reads version 3 "),
    Report("Version 100 is read with the layout of version 0.", "aiokafka kafkajs", _V100,
           r"reads version 100 \{'topics': \['a'\], 'userData': None\}"),
    Report("Version 100 is read, by librdkafka too.", "librdkafka", _V100,
           r"reads .*'topics': \['a'\]"),
    Report("Versions 2 and 3 are read with the layout of version 1.", "java-2.4 java-2.8",
           "0003 00000001 0001 61 ffffffff 00000000 00000007 ffff", r"reads .*, 6 bytes left"),
    Report("Version 100 and what follows it is refused.",
           "sarama kafka-protocol kafka-go-describe kafka-go-reader", _V100, r"refuses: "),
    Report("Version 100 and what follows it is refused, by kafka-go's Client too.",
           "kafka-go-client", _V100, r"refuses: ",
           differs="That is so in the other two paths. The Client reads what version 1 has and "
           "does not look at the rest."),
    Report("Bytes after the last field are an error.", "sarama kafka-go-describe kafka-go-reader",
           _LEFT, r"refuses: "),
    Report("Bytes after the last field are ignored.",
           f"{_JAVA} java {_PYTHON} kio librdkafka {_FRANZ_GO} kafkajs kafka-protocol", _LEFT,
           r"reads .*'topics': \['a'\]"),
    Report("Members of version 0 and 1 have generation 0.", "sarama",
           "0001 00000001 0001 61 ffffffff 00000000", r"reads version 1 .*'generationId': 0"),
    Report("A negative version is read as version 0.",
           f"aiokafka kafka-python-2 {_FRANZ_GO} sarama kafka-go-describe kafka-go-reader {_NODE} "
           "librdkafka", _NEGATIVE, r"reads .*'topics': \['a'\]"),
    Report("A negative version is read as version 0, by kafka-go's Client too.", "kafka-go-client",
           _NEGATIVE, r"reads ",
           differs="The Client reads every version as version 1, and these bytes end before its "
           "owned partitions. Where they are there, it reads a negative version."),
    Report("A negative version is read, with what version 1 has.", "kafka-go-client",
           "ffff 00000001 0001 61 ffffffff 00000000", r"reads .*'topics': \['a'\]"),
    Report("A negative version is refused.", f"{_JAVA} java kafka-python kafka-protocol", _NEGATIVE,
           r"refuses: "),
    Report("An empty rack and a negative generation show as none.", "java-3.9 java-4.4",
           "0003 00000001 0001 61 ffffffff 00000000 fffffffe 0000",
           r"reads .*'generationId': -1, 'rackId': None"),
)  # fmt: skip

_UNSORTED = (
    '{"topics": ["b", "a"], "userData": null, "ownedPartitions": [{"topic": "b", "partitions": '
    '[1]}, {"topic": "a", "partitions": [0]}, {"topic": "b", "partitions": [0]}]}'
)
_SORTED = (
    "000100000002000161000162ffffffff000000020001610000000100000000000162000000020000000000000001"
)
_SELF = '{"topics": ["self"], "userData": null}'
_SELF_1 = '{"topics": ["self"], "userData": USER_DATA, "ownedPartitions": []}'
_SELF_3 = (
    '{"topics": ["self"], "userData": USER_DATA, "ownedPartitions": [], "generationId": -1, '
    '"rackId": RACK}'
)
_PREVIOUS = '{"previousAssignment": [{"topic": "a", "partitions": [0]}], "generation": 7}'


def _self_1(user_data: str) -> str:
    return _SELF_1.replace("USER_DATA", user_data)


def _self_3(user_data: str, rack: str) -> str:
    return _SELF_3.replace("USER_DATA", user_data).replace("RACK", rack)


_WRITING = (
    Report("Topics and owned partitions are sorted, entries of one topic merged.",
           "java-2.8 java-3.9 java-4.4", _UNSORTED, f"writes {_SORTED}$", version=1),
    Report("Topics are sorted, by the oldest Java client too.", "java-2.4", _UNSORTED,
           f"writes {_SORTED}$", version=1,
           differs="The newer releases sort; 2.4 has the topics in the order in which they came, "
           "and merges entries of one topic."),
    Report("Topics are sorted, by @platformatic/kafka too.", "platformatic", _UNSORTED,
           r"writes 000100000002000161000162", version=1),
    Report("A version over 3 is not written: it becomes 3.", "java-3.9 java-4.4",
           _self_3("null", "null"), r"has no way to that: writes version 3 at most", version=4),
    Report("An empty rack is written as null.", "platformatic", _self_3("null", '""'),
           r"writes .*ffffffffffff$", version=3),
    Report("A name of 32,768 bytes is written with a corrupt length.",
           "franz-go-kmsg kafka-go-client",
           f'{{"topics": ["{_LONG}"], "userData": null, "ownedPartitions": []}}',
           r"writes 0001000000018000", version=1),
    Report("Assignments are of version 0, with empty user data.", "librdkafka",
           '{"assignedPartitions": [{"topic": "a", "partitions": [0]}], "userData": null}',
           r"writes 000000000001000161000000010000000000000000$", ASSIGNMENT, 0),
    Report("Assignments are of version 0.", "franz-go-kgo",
           '{"assignedPartitions": [{"topic": "a", "partitions": [0]}], "userData": null}',
           r"writes 0000000000010001610000000100000000ffffffff$", ASSIGNMENT, 0),
    Report("First bytes: a version 1 label on a version 0 body.", "kafka-go-reader",
           _self_1("null"), r"writes 000100000001000473656c66ffffffff$", version=1),
    Report("First bytes: a proper version 1.", "kafka-go-client", _self_1("null"),
           r"writes 000100000001000473656c66ffffffff00000000$", version=1),
    Report("First bytes: version 0 with null user data.", "sarama", _SELF,
           r"writes 000000000001000473656c66ffffffff$", version=0),
    Report("First bytes under cooperative-sticky: version 1.", "sarama", _self_1('"/////w=="'),
           r"writes 000100000001000473656c6600000004ffffffff00000000$", version=1),
    Report("First bytes under cooperative-sticky: version 3.", "franz-go-kgo",
           _self_3('"AAAAAA=="', "null"),
           r"writes 000300000001000473656c66000000040000000000000000ffffffffffff$", version=3),
    Report("First bytes: version 0 with empty user data.",
           "kafkajs kafka-python kafka-python-2 aiokafka", _SELF.replace("null", '""'),
           r"writes 000000000001000473656c6600000000$", version=0),
    Report("First bytes under cooperative-sticky: version 1 with empty user data.", "kafka-python",
           _self_1('""'), r"writes 000100000001000473656c660000000000000000$", version=1),
    Report("First bytes: version 3, user data and rack empty, never null.", "librdkafka",
           _self_3("null", "null"),
           r"writes 000300000001000473656c660000000000000000ffffffff0000$", version=3),
)  # fmt: skip

_PREFIXED = "0001 00000001 0001 61 00000001 00000000 00000007"
_PLAIN = "00000001 0001 61 00000001 00000000 00000007"
_STICKY = (
    Report("Sticky user data is written with an int16 in front.", "kafka-python", _PREVIOUS,
           r"writes 000100000001000161", STICKY, 1),
    Report("Sticky user data is written with nothing in front.", "kafka-python-2", _PREVIOUS,
           r"writes 00000001000161", STICKY, 1),
    Report("Sticky user data with nothing in front is not read.", "kafka-python", _PLAIN,
           r"refuses: ", STICKY, 1),
    Report("Sticky user data with an int16 in front fails.", "kafka-python-2 franz-go-kmsg sarama",
           _PREFIXED, r"refuses: ", STICKY, 1),
    Report("Sticky user data with an int16 in front is dropped without a word.", _JAVA, _PREFIXED,
           r"reads \{'previousAssignment': \[\], 'generation': -1\}", STICKY, 1),
)  # fmt: skip

REPORTS: Sequence[Report] = (*_KILLERS, *_READING, *_VERSIONS, *_WRITING, *_STICKY)
BY_ABOUT = {report.about: report for report in REPORTS}

NOT_ASKED = {
    "That one member's sticky user data fails Sarama's whole plan":
        "no leader's assignor runs here; that its reader fails is.",
    "Which version Sarama writes by which configured version":
        "it is asked for a version each time; the table of fingerprints has which it writes when.",
}  # fmt: skip
"""Reports that have no question, and why."""
