"""The generated reader, the diagnostic reader and the construct definition agree: on the value and
where it ends, or on the kind and the place of the error.
"""

from __future__ import annotations

from ..guarantees.cases import Case
from ..guarantees.own_subjects import GENERATED
from ..guarantees.properties import same_as_construct, same_as_diagnostic_reader
from ..mutators.heads import split
from ..mutators.messages import MESSAGES

FORMS = {"": MESSAGES}


def check(data: bytes) -> None:
    """Check an input with a head against guarantees G40 and G41."""
    route, payload = split(data)
    if route is not None:
        case = Case(route.cls.NAME, payload, route.body_version)
        same_as_diagnostic_reader(GENERATED, case)
        same_as_construct(GENERATED, case)
