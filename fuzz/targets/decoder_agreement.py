"""The generated reader, the careful reader and the construct definition agree: on the value and
where it ends, or on the kind of the error and where it is."""

from __future__ import annotations

from ..guarantees.cases import Case
from ..guarantees.own_subjects import GENERATED
from ..guarantees.properties import same_as_careful, same_as_construct
from ..mutators.heads import split
from ..mutators.messages import MESSAGES

FORMS = {"": MESSAGES}


def check(data: bytes) -> None:
    """Put an input with a head through it: guarantees G40 and G41."""
    route, payload = split(data)
    if route is not None:
        case = Case(route.cls.NAME, payload, route.body_version)
        same_as_careful(GENERATED, case)
        same_as_construct(GENERATED, case)
