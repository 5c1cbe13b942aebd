"""The table of guarantees about bytes between the members of a group, one row each.

KIP-429 promises that a group can be upgraded member by member, because new versions only add at the
end and old readers ignore what they do not know. Each row states one part of that, or of what it
needs, in a sentence; the source; the messages it holds for; and the property that checks it on any
`Subject` with any `Case`. The property itself decides whether a case has anything to do with it.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from ...codec import Message
from ...codec.runtime.registry import spec_of
from ..subject import Subject
from . import properties as p
from .cases import CLAMPED, Case
from .subjects import GENERATED

Property = Callable[[Subject, Case], bool]
"""Checks one guarantee on a subject with a case: True if it was judged and holds, False if the case
has nothing to do with it or the subject no API for it; raises `properties.Broken` if it is broken.
"""


class Scope(Enum):
    """Who has to keep a guarantee."""

    REQUIRED = "required"
    """Every client: one that breaks it breaks the groups it is in, or its own process."""
    RECOMMENDED = "recommended"
    """Clients that want to do as Apache Kafka does where the protocol leaves room, and others
    differ.
    """
    OWN = "own"
    """kproto itself."""


class Guarantee(NamedTuple):
    """A row of the table."""

    id: str
    """The id, which never changes and is never used twice."""
    name: str
    statement: str
    source: str
    """A KIP, a class of Apache Kafka, or the bugs that show what it costs."""
    families: str
    """The messages that the guarantee holds for."""
    versions: str
    """The versions of those messages."""
    scope: Scope
    check: Property
    fix: str
    """What to change in a client that breaks it, for whoever maintains the client."""

    @property
    def title(self) -> str:
        """Id and name, as tests and reports show it."""
        return f"{self.id}-{self.name}"

    @property
    def demands_refusal(self) -> bool:
        """Whether it says that bytes are refused."""
        return self.check in p.REFUSALS

    def is_about(self, case: Case) -> bool:
        """Return whether a subject that answers everything can be judged with a case."""
        try:
            return self.check(GENERATED, case)
        except p.Broken:
            return True

    def why_not(self, message: type[Message]) -> str:
        """Return, in a sentence, why no input of a message can show whether it is kept."""
        if self.families == _ANY or _FAMILIES[self.families](message):
            return "none of the inputs of this message can show it"
        about = f"{_VERSIONS.get(self.versions, '')}{_SUBJECTS[self.families]}"
        return f"not for this message: it is about {about}"


_REQUIRED, _RECOMMENDED, _OWN = Scope.REQUIRED, Scope.RECOMMENDED, Scope.OWN
_ANY, _CONSUMER, _LABELLED = "all", "consumer protocol", "with a version in front"
_RECORDS, _FLEXIBLE = "records", "flexible"

GUARANTEES: tuple[Guarantee, ...] = (
    Guarantee(
        "G01", "answers", "Any bytes get an answer, a value or the one documented error, and so "
        "does a value to write: no crash, no hang, no flood, nothing made up; once is enough.",
        "KAFKA-20570, librdkafka (aborts at zero bytes), KafkaJS #1449", _ANY, "any",
        _REQUIRED, p.answers,
        "Check each length against the bytes that are left before reading, and turn every "
        "error of reading or writing into the documented one.",
    ),
    Guarantee(
        "G02", "in-proportion", "Time and memory of an answer are in proportion to the bytes, and "
        "nothing is kept of them: a count is a claim, not a size to allocate.",
        "KAFKA-14063, Burrow #560, kafka-go, kafka-protocol", _ANY, "any",
        _REQUIRED, p.in_proportion,
        "Compare a count with the bytes that are left before allocating anything for it: an "
        "entry takes at least one byte. Keep no reference to the bytes after the answer.",
    ),
    Guarantee(
        "G03", "reads-valid", "Valid bytes of a known version are read, and every field that is "
        "shown has the value that was written.",
        "the message definitions; KafkaJS #463, Sarama #1808", _ANY, "known",
        _REQUIRED, p.reads_valid,
        "Compare the order, the types and the nulls of your fields with the definition: "
        "kproto schemas NAME draws it.",
    ),
    Guarantee(
        "G04", "old-reader", "A version newer than the reader's is read as the highest that it "
        "knows, and what it knows has the value that was written.",
        "KIP-429, ConsumerProtocol.deserializeVersion; Sarama #2111", _CONSUMER, "newer",
        _REQUIRED, p.old_reader,
        "Read with the lower of the version in the bytes and the highest that you know, and "
        "leave alone what comes after its last field. Do not refuse the version.",
    ),
    Guarantee(
        "G05", "new-reader", "Fields that an old writer did not have are at their defaults: "
        "nothing owned, generation -1, no rack.",
        "KIP-429, KIP-792; Sarama (generation 0)", _CONSUMER, "below the latest",
        _REQUIRED, p.new_reader,
        "Set the fields that the version does not have to these defaults: an older writer's "
        "bytes end before them.",
    ),
    Guarantee(
        "G06", "trailing-bytes", "Bytes after the last known field change nothing, and what the "
        "reader says is left is what is left.",
        "KIP-429; Sarama, kafka-go #1149", _CONSUMER, "any",
        _REQUIRED, p.trailing_bytes,
        "Stop after the last field that you know, and ignore the bytes after it, or return "
        "them as what is left.",
    ),
    Guarantee(
        "G07", "negative-version", "A negative version is refused.",
        "ConsumerProtocol.deserializeVersion; aiokafka, KafkaJS, franz-go", _LABELLED, "negative",
        _REQUIRED, p.negative_version,
        "Refuse a version below 0 before reading the first field.",
    ),
    Guarantee(
        "G08", "refused-version", "A version that is not known is refused where the family cannot "
        "be read by older readers.",
        "GroupMetadataValue and the other records of the offsets topic", _RECORDS, "newer",
        _REQUIRED, p.refused_version,
        "Compare the version with the highest that you know, and refuse one above it: its "
        "fields may be others.",
    ),
    Guarantee(
        "G09", "version-changes-nothing", "The version field changes nothing in the fields that "
        "the versions have in common.",
        "KIP-429: each version is a prefix of the next", _CONSUMER, "any",
        _REQUIRED, p.version_changes_nothing,
        "Read the fields in one order for all versions, and let the version decide only "
        "which of them are there.",
    ),
    Guarantee(
        "G10", "truncated", "Bytes that end before the fields of the oldest version do are "
        "refused.",
        "ConsumerProtocol; KafkaJS (userData cut short in silence)", _ANY, "any",
        _REQUIRED, p.truncated,
        "Check before each field that its bytes are there. In many languages a slice beyond "
        "the end is shorter, without an error.",
    ),
    Guarantee(
        "G11", "round-trip", "What it writes it reads back, with the version and nothing left "
        "over.",
        "the message definitions; kafka-python's sticky user data", _ANY, "known",
        _REQUIRED, p.round_trip,
        "Let the reader and the writer take the fields of a version, their order and types "
        "from one place.",
    ),
    Guarantee(
        "G12", "writes-for-others", "What it writes is what the version field promises: another "
        "reader gets the same value and nothing left over.",
        "kafka-go #1156, #762 (version 1 in front of a version 0 body)", _ANY, "known",
        _REQUIRED, p.writes_for_others,
        "Write the fields that the version in front promises, all of them and no other, in "
        "the order of the definition.",
    ),
    Guarantee(
        "G13", "refuses-to-write", "A value that does not fit is refused, never written corrupt.",
        "kmsg and kafka-go (a name of 32,768 bytes)", _ANY, "known",
        _REQUIRED, p.refuses_to_write,
        "Before writing, check that a name has at most 32,767 bytes of UTF-8, that numbers "
        "fit their type, and that null stands only where the definition allows it.",
    ),
    Guarantee(
        "G14", "opaque-user-data", "User data is opaque: whatever bytes it holds come back as they "
        "are.",
        "KIP-429, librdkafka #479, KAFKA-2695", _CONSUMER, "any",
        _REQUIRED, p.opaque_user_data,
        "Read and write user data as bytes: do not decode them as text, and do not parse "
        "them where the message is read.",
    ),
    Guarantee(
        "G20", "null-and-empty", "Null differs from empty.",
        "ConsumerProtocolSubscription.json (nullableVersions); Sarama, librdkafka", _ANY, "any",
        _RECOMMENDED, p.null_and_empty,
        "Read the length -1 as null and the length 0 as empty, and write them so.",
    ),
    Guarantee(
        "G21", "as-it-stands", "Entries are shown as they stand in the bytes: in their order, and "
        "a topic that stands twice is there twice.",
        "ConsumerProtocol.deserializeAssignment; Sarama, KafkaJS, kafka-go", _ANY, "any",
        _RECOMMENDED, p.as_it_stands,
        "Keep the entries in a list: a map by topic loses their order and the second of "
        "two.",
    ),
    Guarantee(
        "G22", "tells-the-version", "The version that a reader reports is the one in the bytes, "
        "also where it knows none so high.",
        "kafka-python 3 (reports the clamped version)", _LABELLED, "newer",
        _RECOMMENDED, p.tells_the_version,
        "Report the version that was read from the bytes, not the one whose fields were "
        "read.",
    ),
    Guarantee(
        "G23", "null-arrays", "Null is refused where the definition does not allow it.",
        "ConsumerProtocolSubscription (\"non-nullable field ... was serialized as null\"); "
        "kafka-python, aiokafka, kio, KafkaJS", _ANY, "any",
        _RECOMMENDED, p.null_not_allowed,
        "Refuse the length -1 unless the definition says that the field is nullable.",
    ),
    Guarantee(
        "G24", "negative-lengths", "A negative length other than -1 is what Kafka makes of it: "
        "null, or refused where null is not allowed.",
        "ByteBufferAccessor; KafkaJS (-2 moves the reader back)", _ANY, "any",
        _RECOMMENDED, p.negative_lengths,
        "Treat every length below 0 as -1: do not move, and do not allocate by it.",
    ),
    Guarantee(
        "G25", "utf-8", "Text that is no UTF-8 is read: what is right in it is kept, with U+FFFD, "
        "one or several, in the place of the rest.",
        "java.lang.String; kafka-python, aiokafka, kio (refuse)", _ANY, "any",
        _RECOMMENDED, p.invalid_utf8,
        "Decode names with replacement (errors=\"replace\", String::from_utf8_lossy, "
        "TextDecoder), not strictly.",
    ),
    Guarantee(
        "G26", "cut-later", "Bytes that end within the fields that their version promises are "
        "refused by those who read these fields, version 1 in front of a version 0 body too.",
        "ConsumerProtocol; accepted by Sarama, kgo", _CONSUMER, "1+",
        _RECOMMENDED, p.cut_later,
        "Refuse bytes that end before the last field of their version, or of the highest "
        "version that you know.",
    ),
    Guarantee(
        "G27", "kafkas-verdict", "Any other odd bytes get Kafka's verdict and Kafka's value.",
        "KIP-482 (varints, tags); Apache Kafka's generated readers", _ANY, "any",
        _RECOMMENDED, p.kafkas_verdict,
        "Give the input of the report to kproto decode: it names Kafka's verdict, and the "
        "rule behind it.",
    ),
    Guarantee(
        "G28", "one-error", "Every refusal is the same documented error.",
        "KAFKA-20570, h11; kafka-python (struct.error, ValueError, UnicodeDecodeError)", _ANY,
        "any", _RECOMMENDED, p.one_error,
        "Catch the errors of reading (of an index, a number, a text) in one place, and "
        "raise the documented error from there.",
    ),
    Guarantee(
        "G29", "writes-what-it-is-given", "What is written is what was given: order, duplicates, "
        "null and empty.",
        "the message definitions; kafka-go, librdkafka (empty for null)", _ANY, "known",
        _RECOMMENDED, p.writes_what_it_is_given,
        "Write a list as it was given: not sorted, no duplicate removed, null as the length "
        "-1, empty as 0.",
    ),
    Guarantee(
        "G30", "idempotent", "What was read and written again is written the same from then on.",
        "the message definitions", _ANY, "known",
        _RECOMMENDED, p.idempotent,
        "Compare the two outputs of the report: what the writer adds or reorders, it must "
        "leave as it is the second time.",
    ),
    Guarantee(
        "G31", "rewrites-the-future", "What was read from a newer writer and is written back is "
        "identical, version and unknown bytes included.",
        "KIP-429; remora #41", _CONSUMER, "newer",
        _RECOMMENDED, p.rewrites_the_future,
        "Keep the version and the bytes after the last known field beside the value, and "
        "write both back.",
    ),
    Guarantee(
        "G32", "keeps-unknown-tags", "Tagged fields that a reader does not know survive reading "
        "and writing.",
        "KIP-482", _FLEXIBLE, "flexible",
        _RECOMMENDED, p.keeps_unknown_tags,
        "Keep the tagged fields that you do not know as tag and bytes, and write them among "
        "the others in the order of their tags.",
    ),
    Guarantee(
        "G33", "writes-no-other-version", "Asked to write a version that is not known, a writer "
        "refuses, or writes it under its own version; never another version.",
        "KIP-429; encoders that clamp 4 or -1 to 3", _CONSUMER, "unknown",
        _RECOMMENDED, p.unknown_version_to_write,
        "Compare the version that is asked for with those that you can write, and refuse "
        "another. Do not clamp it.",
    ),
    Guarantee(
        "G40", "same-as-construct", "The construct definition agrees: verdict, value, what is "
        "left.",
        "codec/construct_schema.py", _ANY, "any",
        _OWN, p.same_as_construct,
        "This is a fault of kproto: run make generate, then compare "
        "codec/construct_schema.py with the definition.",
    ),
    Guarantee(
        "G41", "same-as-careful", "The diagnostic reader agrees: verdict, reason, where it "
        "stopped.",
        "codec/read/diagnostic_reader.py", _ANY, "any",
        _OWN, p.same_as_diagnostic_reader,
        "This is a fault of kproto: compare codec/read/diagnostic_reader.py with the "
        "definition.",
    ),
)  # fmt: skip
"""Every guarantee, in the order of reports."""

_FAMILIES: dict[str, Callable[[type[Message]], bool]] = {
    _CONSUMER: lambda message: message.FRAMING.newer == CLAMPED,
    _LABELLED: lambda message: message.FRAMING.kind == "version",
    _RECORDS: lambda message: message.FRAMING.newer == "refuse",
    _FLEXIBLE: lambda message: bool(spec_of(message).flexible),
}
_SUBJECTS = {
    _CONSUMER: "the consumer protocol",
    _LABELLED: "messages that begin with their version",
    _RECORDS: "records of the offsets topic",
    _FLEXIBLE: "messages with tagged fields",
}
_VERSIONS = {
    "newer": "newer versions of ",
    "negative": "negative versions of ",
    "unknown": "unknown versions of ",
}
"""What a sentence says of the versions that a guarantee is about, where that needs saying."""

BY_ID: dict[str, Guarantee] = {row.id: row for row in GUARANTEES}


def of_scope(*scopes: Scope) -> tuple[Guarantee, ...]:
    """Return the rows of these scopes, in order."""
    return tuple(row for row in GUARANTEES if row.scope in scopes)
