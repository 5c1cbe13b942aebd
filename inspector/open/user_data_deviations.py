"""Deviations of user data, which the codec cannot find: what it should be depends on the group.

The Java client writes null, sticky's layout under `sticky`, a bare generation under
`cooperative-sticky`, and null in assignments, except for Streams. What other clients write instead
has codes from KP070 on.
"""

from __future__ import annotations

from typing import Any

from ...codec.read.decoding import Decoded
from ...codec.read.deviations import CODES, Deviation
from .opening import NOTHING, Around, Opened, is_large

_FIELD = "user_data"
_STICKY = "StickyAssignorUserData"
_ASSIGNMENT = "ConsumerProtocolAssignment"
_OUTER = ("ConsumerProtocolSubscription", _ASSIGNMENT)


def user_data_deviations(
    seen: Decoded[Any], inside: tuple[Opened, ...], around: Around = NOTHING
) -> tuple[Deviation, ...]:
    """Return the deviations of the user data of a subscription or assignment.

    `inside` is what `open_inside` returned for it; `around` names the assignor where it is known.
    """
    if seen.message_class.NAME not in _OUTER:
        return ()
    node = next((node for node in seen.fields if node.name == _FIELD and node.value), None)
    if node is None:
        return ()
    opened = next((each for each in inside if each.path == _FIELD), None)
    prefixed = opened is not None and opened.start > node.end - len(node.value)
    code, detail = ("KP070", "") if prefixed else _judged(seen, opened, around)
    if not code:
        return ()
    row = CODES[code]
    explanation = f"{row.explanation} ({detail})" if detail else row.explanation
    return (Deviation(code, row.class_, node.start, _FIELD, 1, explanation),)


def all_deviations(
    seen: Decoded[Any], inside: tuple[Opened, ...], around: Around = NOTHING
) -> tuple[Deviation, ...]:
    """Return the message's own deviations and those of its user data, by offset; none for a message
    that is too large to be searched for them.
    """
    if is_large(seen):
        return ()
    odd = user_data_deviations(seen, inside, around)
    if not odd:
        return seen.deviations
    return tuple(sorted((*seen.deviations, *odd), key=lambda each: (each.offset, each.code)))


def _judged(seen: Decoded[Any], opened: Opened | None, around: Around) -> tuple[str, str]:
    """The code of the deviation, "" for none, and a detail for its explanation."""
    if opened is None:
        return "KP073", "of no known layout"
    if opened.decoded is None:
        return "KP073", opened.name
    if opened.name != _STICKY:
        return "", ""
    if seen.message_class.NAME == _ASSIGNMENT:
        return "KP072", ""
    return ("KP071" if _is_cooperative(seen, around) else ""), ""


def _is_cooperative(seen: Decoded[Any], around: Around) -> bool:
    """Whether the assignor is cooperative. Where it is not known, owned partitions tell: an eager
    member has none when it joins."""
    if around.protocol is not None:
        return around.protocol == "cooperative-sticky"
    return seen.message is not None and bool(seen.message.owned_partitions)
