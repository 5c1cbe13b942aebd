"""The table of guarantees as Markdown.

python -m kproto.fuzz.guarantees.page > docs/guarantees.md
"""

from __future__ import annotations

from .table import GUARANTEES, Scope, of_scope

_INTRODUCTION = """\
# Guarantees

What the bytes between the members of a consumer group rest upon, and what `kproto conform`, the
pytest plugin and the campaigns put decoders and encoders through. An id never changes its meaning.
This page is written from `fuzz/guarantees/table.py`; a test compares them.
"""
_MEANING = {
    Scope.REQUIRED: "A client that breaks one of these breaks the groups it is in, or its own "
    "process.",
    Scope.RECOMMENDED: "What Apache Kafka does where the protocol leaves room, and others differ.",
    Scope.OWN: "What kproto promises of itself.",
}


def page() -> str:
    """Return the whole page."""
    parts = [_INTRODUCTION]
    for scope in Scope:
        parts.append(f"\n## {scope.value.capitalize()}\n\n{_MEANING[scope]}\n")
        parts.append("\n| id | statement | holds for | source |\n|---|---|---|---|\n")
        parts += [
            f"| {row.title} | {row.statement} | {row.families}; versions: {row.versions} "
            f"| {row.source} |\n"
            for row in of_scope(scope)
        ]
    return "".join(parts)


if __name__ == "__main__":
    assert len({row.id for row in GUARANTEES}) == len(GUARANTEES)
    print(page(), end="")  # noqa: T201
