"""Hide names in what `kproto migrate` says of groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from msgspec.structs import replace as with_fields

from ...codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    Decoded,
    Policy,
    decode,
)
from ...inspector.shapes.group_shapes import ClientSupport, Plan, Step
from ...inspector.views.redaction import Redaction
from ...inspector.views.stand_ins import NamesToHide
from ...rebalance.migration import ClassicGroup, ClassicMember, Readiness, Reason
from .hidden import QUOTED

__all__ = ["MigrationRedaction"]


class MigrationRedaction:
    """The stand-ins for the names of one group, in its members' bytes too. The same name has the
    same stand-in in every group that shares a `redaction`."""

    def __init__(self, group: ClassicGroup, redaction: Redaction) -> None:
        self._names = names = NamesToHide(redaction)
        names.add("group", [group.group_id])
        names.add("protocol_type", [group.protocol_type])
        names.add("protocol", [group.selected, *group.settings.assignors, group.settings.assignor])
        names.add("topic", group.topics or ())
        names.add("client", group.away)
        for member in group.members or ():
            names.add("member", [member.member_id])
            names.add("instance", [member.instance_id])
            names.add("client", [member.client_id])
            names.add("protocol", [protocol.name for protocol in member.protocols or ()])
            for decoded in _bytes_of(member):
                names.add_texts(decoded)
        self._hide: Callable[[str], str] = names.hiding()

    def group(self, group: ClassicGroup) -> ClassicGroup:
        """Return the group with stand-ins for its names; bytes stay, and are not to be shown."""
        return replace(
            group,
            group_id=self._stand_in(group.group_id, "group"),
            selected=group.selected and self._hide(group.selected),
            unrest=group.unrest and f"{group.unrest.partition(':')[0]}: members come and go",
            away={self._stand_in(name, "client"): time for name, time in group.away.items()},
            members=group.members and tuple(map(self._member, group.members)),
        )

    def readiness(self, readiness: Readiness) -> Readiness:
        """Return the readiness with stand-ins for names, and without bytes."""
        return replace(
            readiness,
            group_id=self._stand_in(readiness.group_id, "group"),
            reasons=tuple(map(self._reason, readiness.reasons)),
            later=tuple(map(self._reason, readiness.later)),
        )

    def plan(self, plan: Plan) -> Plan:
        """Return the plan with stand-ins for names in its sentences."""
        lines = {
            name: tuple(map(self._hide, getattr(plan, name)))
            for name in ("blockers", "untried", "changes", "notes", "reasons")
        }
        return with_fields(
            plan,
            group=self._stand_in(plan.group, "group"),
            clients=tuple(map(self._support, plan.clients)),
            steps=tuple(map(self._step, plan.steps)),
            back=tuple(map(self._step, plan.back)),
            no_return=self._hide(plan.no_return),
            **lines,
        )

    def _member(self, member: ClassicMember) -> ClassicMember:
        return replace(
            member,
            member_id=self._stand_in(member.member_id, "member"),
            client_id=self._stand_in(member.client_id, "client"),
            instance_id=member.instance_id and self._stand_in(member.instance_id, "instance"),
            protocols=member.protocols
            and tuple(
                replace(protocol, name=self._stand_in(protocol.name, "protocol"))
                for protocol in member.protocols
            ),
        )

    def _reason(self, reason: Reason) -> Reason:
        return reason._replace(
            member_id=self._stand_in(reason.member_id, "member"),
            path=self._hide(reason.path),
            explanation=QUOTED.sub("<hidden>", self._hide(reason.explanation)),
            data=b"",
        )

    def _support(self, support: ClientSupport) -> ClientSupport:
        return with_fields(support, members=tuple(map(self._hide, support.members)))

    def _step(self, step: Step) -> Step:
        return with_fields(
            step,
            do=self._hide(step.do),
            check=self._hide(step.check),
            expect=self._hide(step.expect),
            members=tuple(map(self._hide, step.members)),
        )

    def _stand_in(self, name: str, kind: str) -> str:
        return name and self._names.stand_in(name, kind)


def _bytes_of(member: ClassicMember) -> Iterator[Decoded[Any]]:
    """Yield the messages in a member's bytes."""
    metadata = [protocol.metadata for protocol in member.protocols or ()]
    for message_class, texts in (
        (ConsumerProtocolSubscription, metadata),
        (ConsumerProtocolAssignment, [member.assignment]),
    ):
        for data in filter(None, texts):
            yield decode(data, message_class, policy=Policy.LENIENT)
