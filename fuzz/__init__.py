"""The fuzz and conformance kit: guarantees as properties, other people's decoders as oracles.

What the pytest plugin and `kproto conform` need is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import late_names

if TYPE_CHECKING:
    from .adapter import separate_mistakes as separate_mistakes
    from .conformance.inputs import questions as questions
    from .guarantees.properties import Broken as Broken
    from .guarantees.subjects import subject_of as subject_of
    from .guarantees.table import Scope as Scope
    from .guarantees.table import of_scope as of_scope
    from .own_process import Limits as Limits
    from .own_process import OwnProcess as OwnProcess
    from .own_process import Past as Past
    from .subject import Read as Read

_HOME = {
    "Broken": "guarantees.properties",
    "Limits": "own_process",
    "OwnProcess": "own_process",
    "Past": "own_process",
    "Read": "subject",
    "Scope": "guarantees.table",
    "of_scope": "guarantees.table",
    "questions": "conformance.inputs",
    "separate_mistakes": "adapter",
    "subject_of": "guarantees.subjects",
}

__getattr__, __dir__ = late_names(__name__, _HOME)
