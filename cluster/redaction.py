"""Hide the names in a group, for a bug report; numbers and structure stay."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from ..codec.read.deviations import CODES
from ..inspector.shapes.group_shapes import (
    Committed,
    Group,
    GroupChange,
    Listed,
    Listing,
    Member,
    Remark,
)
from ..inspector.shapes.shape import Shares
from ..inspector.views.redaction import Redaction
from ..rebalance.judgements import in_history
from .migration import remarks

_QUOTED = re.compile(r"'[^']*'")
_PRINCIPAL = re.compile(r"User:\S+")
_PLACE = re.compile(r"(?<!\S)(\S+):(\d+)\b")


def redacted_group(group: Group, redaction: Redaction) -> Group:
    """Return the group with placeholders for its names; bytes of members are left out."""

    def name(value: str, field: str) -> str:
        return redaction.name(value, field).strip('"')

    members = tuple(_member(member, redaction) for member in group.members)
    hidden = replace(
        group,
        group_id=name(group.group_id, "group_id"),
        protocol=name(group.protocol, "protocol"),
        coordinator=_place(group.coordinator, redaction),
        members=members,
        partitions=tuple(_committed(row, redaction) for row in group.partitions),
        topics={name(topic, "topic"): count for topic, count in group.topics.items()},
        racks={},
        topic_ids={},
        problems=tuple(redacted_problem(text) for text in group.problems),
        settings_problem=redacted_problem(group.settings_problem),
    )
    byte_remarks = [
        _remark(remark, redaction) for remark in group.remarks if remark.code.startswith("KP")
    ]
    all_remarks = remarks(hidden, byte_remarks)
    bare = tuple(replace(member, metadata=b"", assignment=b"") for member in members)
    return replace(hidden, remarks=all_remarks, members=bare, in_history=in_history(hidden))


def redacted_listing(listing: Listing, redaction: Redaction, titles: Mapping[str, str]) -> Listing:
    """Return the list with placeholders for names. In place of the text of a remark, which has
    names, is what its code means: `titles` are those of rules."""

    def row(listed: Listed) -> Listed:
        return replace(
            listed,
            group_id=redaction.name(listed.group_id, "group_id").strip('"'),
            protocol=redaction.name(listed.protocol, "protocol").strip('"'),
            coordinator=_place(listed.coordinator, redaction),
            remark=listed.remark and meaning_of(listed.code, titles),
        )

    return replace(
        listing,
        groups=tuple(map(row, listing.groups)),
        problems=tuple(map(redacted_problem, listing.problems)),
    )


def redacted_change(
    change: GroupChange,
    redaction: Redaction,
    hide: Callable[[str], str],
    titles: Mapping[str, str],
) -> GroupChange:
    """Return a change of a watched group with placeholders for names, which `hide` puts into
    sentences. A remark says what its code means (`redacted_listing`)."""
    text = hide(change.text)
    if change.what == "unanswered":  # which quotes addresses
        text = "does not answer"
    elif change.what == "remark":
        code = change.text.partition(":")[0]
        text = f"{code}: {meaning_of(code, titles)}"
    return replace(
        change,
        group=redaction.name(change.group, "group_id").strip('"'),
        who=change.who and redaction.name(change.who, "member_id").strip('"'),
        name=change.name and redaction.name(change.name, "client_id").strip('"'),
        text=text,
    )


def meaning_of(code: str, titles: Mapping[str, str]) -> str:
    """Return what a code of a remark means; `titles` are those of rules."""
    known = CODES.get(code)
    return known.explanation if known is not None else titles.get(code, code)


def _member(member: Member, redaction: Redaction) -> Member:
    def name(value: str | None, field: str) -> str | None:
        return value and redaction.name(value, field).strip('"')

    def shares(by_topic: Shares) -> Shares:
        return {str(name(topic, "topic")): numbers for topic, numbers in by_topic.items()}

    return replace(
        member,
        member_id=name(member.member_id, "member_id"),
        client_id=name(member.client_id, "client_id"),
        host=name(member.host, "host"),
        instance_id=name(member.instance_id, "instance_id"),
        rack=name(member.rack, "rack"),
        topics=tuple(str(name(topic, "topic")) for topic in member.topics),
        regex=member.regex and "<hidden>",
        owned=shares(member.owned),
        assigned=shares(member.assigned),
        target=None if member.target is None else shares(member.target),
        standby=shares(member.standby),
        warmup=shares(member.warmup),
        target_standby=shares(member.target_standby),
        target_warmup=shares(member.target_warmup),
        process_id=name(member.process_id, "process_id"),
        endpoint=name(member.endpoint, "host"),
    )


def _committed(partition: Committed, redaction: Redaction) -> Committed:
    return replace(
        partition,
        topic=redaction.name(partition.topic, "topic").strip('"'),
        metadata=partition.metadata and "<hidden>",
        members=tuple(
            redaction.name(member, "member_id").strip('"') for member in partition.members
        ),
    )


def _remark(remark: Remark, redaction: Redaction) -> Remark:
    """The remark with the explanation of its code, which quotes nothing."""
    member_id = remark.who and redaction.name(remark.who, "member_id").strip('"')
    return replace(remark, who=member_id, text=CODES[remark.code].explanation)


def _place(place: str, redaction: Redaction) -> str:
    host, colon, port = place.rpartition(":")
    return f"{redaction.name(host, 'host')}{colon}{port}" if host else place


def redacted_problem(text: str) -> str:
    """Return what could not be asked, without what it quotes, principals and addresses."""
    return _PLACE.sub(
        r"<hidden>:\2", _PRINCIPAL.sub("User:<hidden>", _QUOTED.sub("<hidden>", text))
    )
