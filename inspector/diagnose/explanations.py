"""A page for each code: what the deviation is, what it means for a running group, who writes it.

A page is data. `kproto explain KP040` prints one, the inspector prints its `group` under the
deviation, and reports link to it. The facts about clients were measured with the releases of
November 2026 that `clients.json` names, or read in their source; a client that is not named on a
page was not seen to write such bytes.

Other findings, such as those of an audit's rules, have pages of the same class.
"""

from __future__ import annotations

from typing import NamedTuple

from ...codec.read.deviations import CODES


class Page(NamedTuple):
    """The page of a code.

    `title` is one line and `class_` the code's class. `what` says how it looks in bytes, `group`
    what it means for a running group, `writers` who writes it, `see` the proposals and bugs;
    `action`, where there is one, what to do first.
    """

    code: str
    title: str
    class_: str
    what: str
    group: str
    writers: str
    see: tuple[str, ...] = ()
    action: str = ""


class _Text(NamedTuple):
    what: str
    group: str
    writers: str
    see: tuple[str, ...] = ()


_NOBODY = "No client that was measured; damaged bytes, or an encoder written by hand."
_KIP_482 = "KIP-482 (tagged fields)"

_TEXTS: dict[str, _Text] = {
    "KP001": _Text(
        "A length or count is below -1 where null is allowed. Only -1 means null; Apache Kafka "
        "reads every negative number as null and writes -1.",
        "Java members read null, kafka-python, aiokafka and franz-go an empty value; KafkaJS and "
        "kio fail. Whether the group rebalances depends on the client that leads it.",
        _NOBODY,
    ),
    "KP002": _Text(
        "Text that is not UTF-8. Apache Kafka replaces what it cannot read with U+FFFD.",
        "Members see different topic names: Java one U+FFFD, JavaScript up to three, Go the raw "
        "bytes; Python clients, kio and kafka-protocol fail. A changed name matches no topic, so "
        "its partitions are not assigned.",
        "No client by itself: a name that was cut in the middle of a character, or text in "
        "another encoding.",
    ),
    "KP003": _Text(
        "A varint with leading zero groups: `80 00` instead of `00`. Up to five bytes are read.",
        "Nothing for a reader that follows Apache Kafka. A program that compares bytes or "
        "checksums takes it for a different message.",
        _NOBODY,
        (_KIP_482,),
    ),
    "KP004": _Text(
        "The fifth byte of a varint has bits beyond the 32nd, which Apache Kafka drops.",
        "Readers with wider integers read a huge length here and fail, or wait for bytes that "
        "never come.",
        _NOBODY,
        (_KIP_482,),
    ),
    "KP005": _Text(
        "The tags of a section have to ascend. Here one is lower than the one before, or repeated.",
        "Apache Kafka reads it (the later value wins) but cannot write it again: a broker or "
        "proxy that rewrites the message fails.",
        _NOBODY,
        (_KIP_482,),
    ),
    "KP006": _Text(
        "The size in front of a known tagged field is not the size of its value. Apache Kafka "
        "does not look at it; the field is read by its own layout.",
        "A reader that skips the field by its size goes on at another byte than one that reads it "
        "by its layout: the same bytes are two different messages.",
        _NOBODY,
        (_KIP_482,),
    ),
    "KP007": _Text(
        "A bool is one byte, 0 or 1. Every other byte is read as true.",
        "Strict readers refuse it; one that compares with 1 reads false where Java reads true.",
        _NOBODY,
    ),
    "KP008": _Text(
        "A nullable struct begins with -1 or 1 (as a tagged field with 0 or 1). This one begins "
        "with another number, of which Apache Kafka reads the sign.",
        "Members may disagree whether the struct is there, and then about all bytes that follow.",
        _NOBODY,
    ),
    "KP009": _Text(
        "A tagged field at its default is left out by a writer that follows KIP-482.",
        "Nothing; the message is longer than necessary.",
        "Encoders that write all fields they know.",
        (_KIP_482,),
    ),
    "KP010": _Text(
        "The version label is negative. Apache Kafka refuses it.",
        "A Java, kafka-python 3 or kafka-protocol leader fails on this member, and with it the "
        "whole rebalance; aiokafka, kafka-python 2, franz-go, Sarama, kafka-go, KafkaJS, "
        "@platformatic/kafka and librdkafka read it as version 0 and assign.",
        "No client that was measured. `ffff` at the beginning is often the end of other bytes, "
        "cut at the wrong place.",
    ),
    "KP011": _Text(
        "The count of an array is -1 where the definition does not allow null.",
        "A Java or kafka-protocol leader refuses the member's metadata and the rebalance fails. "
        "franz-go, Sarama, KafkaJS, @platformatic/kafka and kafka-go read an empty array: the "
        "member stays, subscribed to nothing. kafka-python, aiokafka and kio return None, and "
        "fail later, where it is used (TypeError).",
        "Encoders written by hand that write nil as -1.",
        ("KAFKA-20570",),
    ),
    "KP012": _Text(
        "The length of a string, or of bytes, is -1 where the definition does not allow null.",
        "Apache Kafka refuses the message. kafka-python, aiokafka and KafkaJS return null as a "
        "topic's name; Sarama, @platformatic/kafka, librdkafka and kafka-go read an empty one, "
        "and ask for a topic without a name.",
        "Encoders written by hand. Null user data is allowed and does not count.",
    ),
    "KP013": _Text(
        "A length or count below -1 where null is not allowed either. A length of 32,768 bytes or "
        "more in an int16 looks like this.",
        "Apache Kafka refuses it. aiokafka and franz-go read an empty value and take the "
        "following bytes for other fields; KafkaJS and @platformatic/kafka move backwards until "
        "their heap is gone: one member can stop every leader of these clients.",
        "franz-go's kmsg and kafka-go's Client, for a name of 32,768 bytes or more.",
    ),
    "KP014": _Text(
        "An array claims more elements than there are bytes left, although each takes at least "
        "one.",
        "Apache Kafka refuses it before it reserves memory. kafka-protocol aborts the process, "
        "kafka-go runs out of memory and kio reserves gigabytes: metadata of ten bytes ends the "
        "process of the group's leader.",
        _NOBODY,
        ("KAFKA-14063",),
    ),
    "KP015": _Text(
        "Metadata or an assignment of zero bytes, without a version label.",
        "As an assignment it is what a broker sends to a member to which the leader assigned "
        "nothing: the member idles. As metadata it aborts a librdkafka leader (an assertion), and "
        "a Java leader fails to assign.",
        "librdkafka leaves a member whose metadata it cannot read without an assignment, and "
        "reports no error.",
        ("kminion #141",),
    ),
    "KP016": _Text(
        "A string of more than 32,767 bytes. Compact strings could be longer, but Apache Kafka "
        "refuses them on reading and on writing.",
        "The request fails on the broker, or the reader fails on the stored message.",
        _NOBODY,
    ),
    "KP020": _Text(
        "The version label is higher than any that kproto knows. Readers of the consumer protocol "
        "read it as the highest version they know, because new versions only add fields at the "
        "end.",
        "Java, kafka-python, librdkafka and franz-go read the fields they know. kafka-go, Sarama "
        "(where bytes are left over) and kafka-protocol refuse it: a group that one of them leads "
        "cannot rebalance while this member is in it.",
        "A newer release than this one; Faust, which labels its own layout version 4.",
        ("KIP-429", "KIP-792", "KIP-881"),
    ),
    "KP021": _Text(
        "Bytes follow the last field of the version that the label names. Apache Kafka ignores "
        "them.",
        "Most readers ignore them. Sarama refuses any byte left over, and its whole rebalance "
        "fails because of this member; kafka-go's DescribeGroups fails, too.",
        "A newer client under an older label; the bytes of two messages that a tool has joined.",
    ),
    "KP022": _Text(
        "A tagged field that this definition does not have. Apache Kafka keeps it unchanged and "
        "writes it back.",
        "Nothing: tags exist so that newer writers can add fields older readers skip.",
        "A newer release.",
        (_KIP_482,),
    ),
    "KP040": _Text(
        "The version label promises fields that are missing; the body is complete in an older "
        "version. The most frequent case is version 1 with the body of version 0: "
        "`ownedPartitions` is missing.",
        "Java, kafka-python 3, kio and kafka-protocol refuse the member: a Java leader fails with "
        "SchemaException and the group does not rebalance; librdkafka leaves the member out of "
        "the assignment without an error. Sarama, kgo, aiokafka, KafkaJS and @platformatic/kafka "
        "tolerate it, so that the group works until another client becomes leader.",
        "kafka-go's Reader, KafkaJS before 2.2.2, @platformatic/kafka up to 2.9; Faust with label "
        "4 on version 0.",
        ("KIP-429", "kafka-go #1156", "kafka-go #762", "franz-go #493", "KafkaJS #1449"),
    ),
    "KP041": _Text(
        "One topic has two entries in an array in which each topic should have one.",
        "Java keeps both. Sarama and KafkaJS keep the last, kafka-go overwrites owned partitions: "
        "nobody consumes the partitions of the first entry then.",
        "librdkafka under cooperative-sticky (seen with 2.0.2), which begins a new entry wherever "
        "the topic changes in its list; Java merges.",
    ),
    "KP042": _Text(
        "A list of topics has one topic twice, or a list of partitions one partition.",
        "Assignors that count the entries give this member more than its share; a partition that "
        "is assigned twice may be fetched twice.",
        _NOBODY,
    ),
    "KP043": _Text(
        "A partition number below 0. No partition has one.",
        "No fetch of it can succeed; as an owned partition it is a claim that no leader can grant.",
        _NOBODY,
    ),
    "KP044": _Text(
        "A topic without a name. No topic has one.",
        "The leader asks the brokers for metadata of a topic that cannot exist, and gets an error "
        "for it at every rebalance.",
        "Encoders that write null or missing names as empty.",
    ),
    "KP045": _Text(
        "A topic is named `__proto__`, which is a legal name in Kafka.",
        "KafkaJS keeps an assignment as an object with topics as keys, and loses this one: its "
        "partitions are assigned and never consumed.",
        "Whoever created the topic.",
    ),
    "KP046": _Text(
        "A NUL inside a topic's name, which Kafka does not allow.",
        "librdkafka reads the part before the NUL, all other clients the whole name: the members "
        "of one group subscribe to different topics.",
        "Encoders that write a buffer of fixed size; librdkafka itself cuts at the NUL.",
    ),
    "KP047": _Text(
        "A generation below -1. Generations are 0 or above; -1 means that it is not known.",
        "Java's public API treats every negative generation as unknown; a reader that compares "
        "numbers ranks the claim below all others, and the member loses what it owns.",
        _NOBODY,
        ("KIP-792",),
    ),
    "KP060": _Text(
        "Topics, owned topics, or the partitions of one are not in ascending order.",
        "Every client reads it correctly. But a broker compares a member's metadata byte by byte "
        "when it rejoins: if the order changes from join to join, the broker sees a changed "
        "subscription, and the group rebalances without need.",
        "Every client except Java (2.8.1 and later), franz-go, librdkafka and @platformatic/kafka, "
        "unless the user's list or the order of a set happens to be sorted.",
        ("KAFKA-12898",),
    ),
    "KP061": _Text(
        "User data of zero bytes where the Java client has written null since 2.4.",
        "Java reads two values with one meaning. Sarama's eager sticky assignor fails on empty "
        "user data, and the rebalance with it. Kafka 0.9 could not read null, which is why clients "
        "write zero bytes.",
        "librdkafka, kafka-python, aiokafka, KafkaJS, Java before 2.4; Sarama, which forwards "
        "what its last leader sent.",
        ("KAFKA-2695", "librdkafka #479"),
    ),
    "KP062": _Text(
        "The rack is an empty string where the Java client writes null.",
        "Java's public API treats both alike. Another leader may take the empty string for a rack "
        "that matches no replica: rack-aware assignment is off for this member.",
        "librdkafka from 2.2 on, if client.rack is not configured.",
        ("KIP-881",),
    ),
    "KP063": _Text(
        "An entry for a topic that lists no partition of it.",
        "Nothing for the assignment; a reader may believe that the topic is assigned and wait for "
        "its partitions.",
        "Encoders that write a map without removing empty entries; Java builds entries from "
        "partitions, so it writes none.",
    ),
    "KP070": _Text(
        "`00 01` precedes sticky's previous assignment. Java's layout has nothing there.",
        "Java ignores the user data without an error, so the member's partitions move at every "
        "rebalance; Sarama's assignor fails for the whole group. Members of one kafka-python "
        "release understand each other; 2.3 and 3.0 do not.",
        "kafka-python from 3.0 on, under `sticky`.",
    ),
    "KP071": _Text(
        "Under cooperative-sticky the Java client's user data is only an int32, the generation. "
        "These bytes have the layout of sticky: the previous assignment and a generation.",
        "Java reads its first four bytes, the number of topics, as a generation where the "
        "subscription says none (versions 0 and 1): claims are then ranked wrongly, and "
        "partitions can move without need. From version 2 on the subscription's own generation "
        "counts.",
        "librdkafka and franz-go.",
        ("KIP-429", "KIP-792", "KAFKA-12984"),
    ),
    "KP072": _Text(
        "The user data of an assignment has sticky's layout; the Java client writes null there.",
        "Nothing: members read the partitions only. The stored group is larger, and Sarama sends "
        "these bytes back in its next subscription.",
        "Sarama under `sticky`; librdkafka, which copies each member's user data into its "
        "assignment.",
    ),
    "KP073": _Text(
        "User data in JSON, text or compressed, not in a layout of Kafka's assignors.",
        "Only the same client with the same assignor can lead the group: another leader ignores "
        "the user data, or fails.",
        "Faust (JSON, compressed in assignments), kafka-go's rack-affinity (the rack's name), "
        "Sarama (what the user configures), custom assignors.",
    ),
    "KP080": _Text(
        "The bytes end in the middle of a field, and no older version is complete either.",
        "No client can read it to its end: a Java leader fails, librdkafka leaves the member out "
        "of the assignment, KafkaJS accepts user data that is cut short.",
        "Mostly tools that cut long values when they print them; a writer that was killed.",
        ("KAFKA-20570",),
    ),
    "KP081": _Text(
        "A version that readers refuse: records of the offsets topic, Streams' assignments and "
        "requests are not read in the layout of an older one.",
        "A broker that is older than the writer cannot load the group; a Streams member that is "
        "older cannot take part until all are upgraded (`upgrade.from`).",
        "A newer release; bytes that are something else.",
    ),
    "KP082": _Text(
        "A key of the offsets topic begins with its record type. This one is another message's.",
        "A broker that does not know the record type skips or refuses the record when it loads "
        "the partition.",
        "A newer broker; bytes that are something else.",
    ),
    "KP083": _Text(
        "A varint that has not ended after five bytes.",
        "The message is refused. A reader that accepts longer ones reads the following bytes "
        "wrongly.",
        _NOBODY + " Or a version that has no varints.",
        (_KIP_482,),
    ),
    "KP084": _Text(
        "The tagged fields claim more bytes than there are, or there is one that belongs to other "
        "versions.",
        "The message is refused: a request is answered with an error, a record cannot be loaded.",
        _NOBODY + " Or a version without tagged fields.",
        (_KIP_482,),
    ),
    "KP085": _Text(
        "Text in Java's modified UTF-8 that Java cannot read.",
        "Kafka Streams cannot read this member's subscription or assignment.",
        _NOBODY,
    ),
}


def pages() -> dict[str, Page]:
    """Return the page of every code, in order."""
    return {
        code: Page(code, _capital(row.explanation), row.class_, *_TEXTS[code])
        for code, row in CODES.items()
    }


def for_the_group(code: str) -> str:
    """Return what a deviation means for a running group; "" for a code that has no page here."""
    text = _TEXTS.get(code)
    return "" if text is None else text.group


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
