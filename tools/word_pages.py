"""The page of each word that kproto prints: codes, rules, guarantees, remarks, causes, faults, and
what else names a finding. Each page is made from the table that has the word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from ..inspector.diagnose.explanations import Page
from ..wording import near_names

_SUGGESTED = 4  # words that are named where a wrong one was given
_LETTERS = 4  # of a word that is looked for in titles


def pages_by_code() -> dict[str, Page]:
    """Return the page of each code and each rule, by the code in capitals."""
    return {word.upper(): page for source in _CODES for word, page in _pages(source).items()}


def page_of(word: str) -> Page | None:
    """Return the page of a word, None for one that kproto does not print. A table is imported when
    those before it do not have the word.
    """
    return _first(word, _SOURCES)


def page_of_plain_word(word: str) -> Page | None:
    """Return the page of an ordinary word, such as "joins", that is printed as an event, or as the
    kind of an error."""
    return _first(word, _PLAIN)


def every_word() -> dict[str, Page]:
    """Return the page of every word that `page_of` knows."""
    pages: dict[str, Page] = {}
    for source in _SOURCES:
        for word, page in _pages(source).items():
            pages.setdefault(word, page)
    return pages


def words_like(text: str) -> list[str]:
    """Return the words that begin like a wrong one, are spelled like it, or have its words in them
    or in their titles; the codes come first.
    """
    wrong = text.upper()
    pages = {word.upper(): page for word, page in every_word().items()}
    digits = re.fullmatch(r"(?:KP)?[\s_-]*0*(\d{1,3})", wrong)
    parts = [part for part in re.split(r"\W+", wrong) if len(part) >= _LETTERS]
    ways = (
        [word for word in pages if wrong and word.startswith(wrong)],
        [word for word in pages if digits and word == f"KP{digits[1].zfill(3)}"],
        near_names(wrong, pages, _SUGGESTED, 0.7),
        [word for word in pages if any(part in word for part in parts)],
        [word for word, page in pages.items() if any(p in page.title.upper() for p in parts)],
        near_names(wrong, pages, _SUGGESTED, 0.5),
    )
    words = next((way for way in ways if way), [])
    return list(dict.fromkeys(pages[word].code for word in words))[:_SUGGESTED]


def words_about(phrase: str) -> list[str]:
    """Return the words on whose pages a phrase such as "version 0" stands, codes first."""
    whole = re.compile(rf"\b{re.escape(phrase)}\b", re.IGNORECASE)
    pages = every_word().values()
    codes = [page.code for page in pages if whole.search(f"{page.title}. {page.what}")]
    return list(dict.fromkeys(codes))[:_SUGGESTED]


# -- the tables


_Pages = Iterator[tuple[str, Page]]
_Source = tuple[str, Callable[[Any], _Pages]]


@cache
def _pages(source: _Source) -> Mapping[str, Page]:
    """Return the pages of a table, each by its word."""
    module, read = source
    pages: dict[str, Page] = {}
    for word, page in read(import_module(f"..{module}", __package__)):
        pages.setdefault(word, page)
    return pages


def _first(word: str, sources: tuple[_Source, ...]) -> Page | None:
    pages = (
        page
        for source in sources
        for name, page in _pages(source).items()
        if name.lower() == word.lower()
    )
    return next(pages, None)


def _page(
    word: str, class_: str, title: str, what: str = "", *, group: str = "", action: str = "",
    see: tuple[str, ...] = (),
) -> tuple[str, Page]:  # fmt: skip
    """Return a word and its page, which has no writers."""
    return word, Page(word, title, class_, what, group, "", see, action)


def _of_module(module: Any) -> _Pages:
    yield from module.pages().items()


def _guarantees(table: Any) -> _Pages:
    """Yield the page of each guarantee by its id, its name, and both."""
    for row in table.GUARANTEES:
        scope = row.scope
        _, page = _page(
            row.title, "guarantee", row.statement,
            f"A guarantee that is {scope.value}. It is about messages of the sort "
            f'"{row.families}", version: {row.versions}. kproto conform judges clients by it.',
            action=f"{row.fix} kproto conform --guarantee {row.id} -- COMMAND shows the bytes that "
            "a client breaks it with.",
            see=(row.source,),
        )  # fmt: skip
        for word in (row.id, row.title, row.name):
            yield word, page


def _remarks(table: Any) -> _Pages:
    """Yield the page of each remark on a group that is looked at: that of the rule of the audit
    which finds the same, or its own.
    """
    rules = _pages(_CODES[1])
    for row in vars(table).get("OF_SHARES") or table.JUDGEMENTS:
        if row.rules:
            yield row.code, rules[row.rules[0]]
        else:
            body = "A remark on a group that is looked at, by kproto group and the like."
            yield _page(row.code, row.level, row.title, body, action=row.advice)


def _causes(table: Any) -> _Pages:
    for word, facts in table.CAUSES.items():
        rivals = f" It leaves the same traces as {', '.join(facts.rivals)}." if facts.rivals else ""
        in_records = f" In the offsets topic: {facts.in_records}." if facts.in_records else ""
        body = f"Certain by: {facts.proof or 'nothing'}.{in_records}{rivals}"
        title = facts.what or "nothing shows why"
        yield _page(word, "cause", title, body, action=facts.advice)


def _faults(table: Any) -> _Pages:
    symptoms = import_module("..history.symptoms", __package__).SYMPTOMS
    for fault in table.faults():
        symptom = symptoms[fault.symptom]
        group = symptom.text.format(who="a member")
        untried = "" if fault.is_tried else " (kproto's tests did not try it)"
        change = f"Update to {fault.newest}{untried}." if fault.newest else "It is open."
        yield _page(
            fault.name, "cause", f"a known fault of {fault.program} ({fault.releases})",
            f"{fault.what[0].upper()}{fault.what[1:]}.",
            group=f"It looks so: {group}. The same is left by {', '.join(symptom.rivals)}.",
            action=change,
            see=(fault.report,),
        )  # fmt: skip


def _symptoms(table: Any) -> _Pages:
    for word, symptom in table.SYMPTOMS.items():
        text = symptom.text.format(who="a member")
        body = f"A known fault of a client or a broker looks so, or: {', '.join(symptom.rivals)}."
        yield _page(word, "symptom", text, body)


def _settings(table: Any) -> _Pages:
    for rule in table.RULES:
        body = f"A remark on the settings {', '.join(rule.settings)} of a client."
        yield _page(
            rule.code, "setting", rule.title, body, action="The remark says what to change."
        )


def _reasons(table: Any) -> _Pages:
    for word, reason in table.EXPLANATIONS.items():
        error = f" The broker answers with {reason.error}." if reason.error else ""
        body = f"A reason why a group cannot move to group.protocol=consumer, or back.{error}"
        yield _page(word, "migration", reason.title, body, action=reason.remedy)


def _changes(table: Any) -> _Pages:
    for word, rule in table.RULES.items():
        effect = "breaks readers or writers" if rule.breaks else "breaks nobody"
        yield _page(word, "compat", rule.text, f"A change of a message definition; it {effect}.")


def _settings_by_name(table: Any) -> _Pages:
    names = dict.fromkeys(name for rule in table.RULES for name in rule.settings)
    for name in names:
        remarks = [rule for rule in table.RULES if name in rule.settings]
        body = "; ".join(f"{rule.code}: {rule.title}" for rule in remarks)
        yield _page(
            name, "setting", "a setting of clients", f"What is said of it: {body}.",
            action="Give the client's log or its settings: kproto story LOG --settings FILE.",
        )  # fmt: skip


def _message_types(library: Any) -> _Pages:
    for name in library.built_in_names():
        yield _page(
            name, "message", "a message that kproto reads and writes",
            action=f"kproto schemas {name} shows its fields, kproto decode --as {name} reads one.",
        )  # fmt: skip


def _fields(registry: Any) -> _Pages:
    """Yield the fields of what members exchange, by the names that are shown and Kafka's own."""
    for name in ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment"):
        for field in registry.built_in_spec(name).fields:
            for word in dict.fromkeys((field.snake, field.name)):
                yield _page(
                    word, "field", f"a field of {name}, versions {field.versions}", field.about,
                    action=f"kproto schemas {name} shows all fields.",
                )  # fmt: skip


def _issues(module: Any) -> _Pages:
    """Yield for each of Kafka's issues the first rule that names it as its source."""
    for page in module.pages().values():
        for issue in re.findall(r"KAFKA-\d+", " ".join(page.see)):
            yield issue, page


def _meanings(name: str, class_: str, title: str, action: str = "") -> Callable[[Any], _Pages]:
    """Return what reads a table of words and their meanings, called `name` in its module."""

    def read(table: Any) -> _Pages:
        for word, meaning in getattr(table, name).items():
            yield _page(word, class_, title, meaning, action=action)

    return read


_CODES: tuple[_Source, ...] = (
    ("inspector.diagnose.explanations", _of_module),
    ("pipeline.audit.explanations", _of_module),
)
_SOURCES: tuple[_Source, ...] = (
    *_CODES,
    ("history.causes", _causes),
    ("clients.faults", _faults),
    ("fuzz.guarantees.table", _guarantees),
    ("rebalance.judgements", _remarks),
    ("rebalance.shares", _remarks),
    ("rebalance.client_settings", _settings),
    ("rebalance.migration.reasons", _reasons),
    ("codec.dialect.evolution", _changes),
    ("history.symptoms", _symptoms),
    (
        "history.line_meanings",
        _meanings(
            "STATES",
            "state",
            "a state of groups",
            "kproto group NAME shows the group, with its history where it may be read.",
        ),
    ),
    (
        "history.line_meanings",
        _meanings(
            "COLUMNS",
            "column",
            "a column of kafka-consumer-groups",
            "kproto group reads what the tool has printed, and the group itself: NAME.",
        ),
    ),
    ("rebalance.client_settings", _settings_by_name),
)
"""The tables of words, and what reads each. The first that has a word explains it."""
_PLAIN: tuple[_Source, ...] = (
    (
        "history.line_meanings",
        _meanings("MEANINGS", "event", "an event that a line of a log shows"),
    ),
    (
        "history.line_meanings",
        _meanings("TERMS", "term", "a word of groups and what is told of them"),
    ),
    ("codec", _message_types),
    ("codec.runtime.registry", _fields),
    ("pipeline.audit.explanations", _issues),
)
