"""Where a word stands in the message definitions: in names, fields, and what is said about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderResult
from rich.style import Style
from rich.text import Text

from ..codec.built_in import spec_of
from ..codec.message import Message
from ..codec.spec import Spec
from . import palette
from .hanging import Hanging
from .shown import shown


class Hit(NamedTuple):
    """`where` is a field ("OwnedPartitions.Topic"), "" for the message or a comment; `text` what
    is said there; `since` the versions that have the field."""

    where: str
    text: str
    since: str = ""


class SchemaSearch:
    """Every hit of `word`, in any case, by message. `comments` are those of a definition's text,
    which the built-in ones have: by name, the lines."""

    def __init__(
        self, word: str, classes: Iterable[type[Message]], comments: dict[str, list[str]]
    ) -> None:
        self._word = word
        self.hits = {
            cls.NAME: found
            for cls in classes
            if (found := list(_hits(word, spec_of(cls), comments.get(cls.NAME, []))))
        }

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for name, hits in self.hits.items():
            yield self._marked(name, palette.TITLE)
            for hit in hits:
                yield Hanging(Text("  "), self._line(hit))

    def _line(self, hit: Hit) -> Text:
        line = self._marked(hit.where, palette.PLAIN)
        if hit.since:
            line.append(f" {hit.since}", palette.QUIET)
        if hit.where and hit.text:
            line.append("  ")
        return line.append_text(self._marked(hit.text, palette.QUIET))

    def _marked(self, text: str, style: Style) -> Text:
        made = Text(shown(text), style)
        made.highlight_words([self._word], palette.FOUND, case_sensitive=False)
        return made


def _hits(word: str, spec: Spec, comments: list[str]) -> Iterator[Hit]:
    wanted = word.lower()
    if wanted in spec.name.lower() or wanted in spec.about.lower():
        yield Hit("", spec.about)
    owners = [("", spec.fields), *((f"{one.name}.", one.fields) for one in spec.structs.values())]
    for owner, fields in owners:
        for field in fields:
            if wanted in f"{field.name} {field.snake} {field.about}".lower():
                yield Hit(f"{owner}{field.name}", field.about, str(field.versions))
    yield from (Hit("", line) for line in comments if wanted in line.lower())
