"""Identify bytes: decode them as every built-in message that they can be, and rank the readings.

Some bytes are several messages: `000000000000ffffffff` is an empty subscription and an empty
assignment. Readings that the bytes do not tell apart share a rank, and are listed in the order of
how often people meet them. `candidates` says which readings come first.

What is known of the bytes besides, such as the name of the field that they were found in, decides
between readings: a message that is `expected` there comes first if the bytes can be it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec

from ..codec.errors import DecodeError
from ..codec.messages import message_class as built_in
from ..codec.messages.programs import PROGRAMS
from ..codec.read.decoding import Decoded, Policy, decode, older_body
from ..codec.read.diagnostic_reader import FieldNode
from ..codec.runtime.message import Buffer, Message, as_bytes
from ..wording import counted
from .candidates import (
    CUT_SHORT,
    LIKELY,
    LOOKED_INTO,
    MOST_COMMON,
    Evidence,
    begins_like,
    candidate_names,
    decode_as,
    deviations_of,
    evidence,
    is_credible,
    is_vague,
    newer_record,
    readings,
    text_read,
)
from .nested_bytes import open_inside, user_data_deviations

FALLBACK = "ConsumerProtocolSubscription"
"""The message that bytes are decoded as where they begin like no built-in message."""
_LEAST_TEXT = 8  # characters; four bytes of user data are often a few letters
ALL_KEPT = 4 << 10
"""Bytes up to which `identify` keeps what it decoded for every candidate, beyond for the best."""


class _Ranked(NamedTuple):
    rank: int
    name: str
    version: int
    reason: str


class Candidate(_Ranked):
    """A reading of some bytes as a built-in message: `rank`, `name`, `version`, `reason`.

    `rank` counts from 1, and equals share it. `version` is the label that the bytes carry, or, for
    a message without a label, the version that they were read as.
    """

    _data: bytes
    _seen: Decoded[Any] | None
    _proof: Evidence

    @property
    def is_clean(self) -> bool:
        """Whether the bytes are a labelled message to the last one, with text, and with no
        deviation but of style."""
        return self._proof[:2] == (0, 0) and self._proof[2] <= 1

    @property
    def is_likely(self) -> bool:
        """Whether the bytes are a labelled message, or the beginning of one, with text in it."""
        proof = self._proof
        return proof[:2] == (0, 0) and proof[2] <= LIKELY

    @property
    def has_text(self) -> bool:
        """Whether the bytes are a labelled message, or the beginning of one, with text in it, in
        spite of any deviations."""
        return self._proof[:2] == (0, 0)

    @property
    def takes_all(self) -> bool:
        """Whether the bytes are a labelled message to the last one, in spite of any deviations."""
        return self._proof[0] == 0 and self.decoded.complete and not self.decoded.remainder

    @property
    def decoded(self) -> Decoded[Any]:
        """The decoded bytes, under policy LENIENT. Of bytes beyond `ALL_KEPT` only the best
        candidate's result is kept; another candidate decodes them when it is asked."""
        if self._seen is None:
            self._seen = decode_as(self._data, built_in(self.name), self.version)
        return self._seen


def identify(
    data: Buffer, expected: Collection[str] = (), *, is_cut: bool = False
) -> tuple[Candidate, ...]:
    """Return the built-in readings of `data`, best first; never fails for bytes.

    Empty where the bytes resemble no built-in message. `expected` are names of messages, one of
    which the bytes should be by what is known of them besides. `is_cut`: a program has cut them.
    """
    candidates = _ranked(as_bytes(data), expected, is_cut=is_cut)
    return tuple(_with_reason(candidate) for candidate in candidates)


def _ranked(
    raw: bytes, expected: Collection[str], *, is_cut: bool, earlier: Earlier | None = None
) -> tuple[Candidate, ...]:
    """The readings, best first, without the reason of each, which takes longer to write than the
    bytes to read."""
    table = _Table(raw, expected, is_cut=is_cut)
    if len(expected) == 1:
        table.read(name for name in expected if name in PROGRAMS)
        if table.has_whole:
            return table.ranked()
    names = candidate_names(raw)
    kind = _Kind(tuple(names.likely), tuple(expected), is_cut)
    if earlier is not None and (usual := earlier.usual(kind)):
        table.read(usual)
        ranked = table.ranked()
        if ranked and earlier.has_many(kind, ranked[0]):
            return ranked
    table.read(names.likely)
    if names.whole and not table.is_clear:
        table.read(names.doubtful)
    if expected and not table.is_as_expected:
        table.read(name for name in expected if name in PROGRAMS)
    ranked = table.ranked()
    if earlier is not None and ranked and ranked[0].decoded.error is not None:
        earlier.remember(kind, ranked)
    return ranked


class _Kind(NamedTuple):
    """What is known of bytes before they are read: the messages that they may be, what they should
    be, and whether they are cut."""

    names: tuple[str, ...]
    expected: tuple[str, ...]
    is_cut: bool


class Earlier:
    """How the refused messages of one source were read, by their `_Kind`.

    To decode bytes as every message that they may be takes far longer than to decode them as one.
    So once 20 of a kind were read alike, the next one is decoded as that message and its equals
    alone; where these explain it otherwise, it is decoded as all.
    """

    _MANY = 20

    def __init__(self) -> None:
        self._readings: dict[_Kind, Counter[tuple[str, Evidence]]] = {}
        self._equals: dict[str, set[str]] = {}

    def usual(self, kind: _Kind) -> tuple[str, ...]:
        """Return what most of a kind were, and what those could also be; nothing where they are not
        many."""
        readings = self._readings.get(kind)
        if readings is None:
            return ()
        [((best, _), number)] = readings.most_common(1)
        if number < self._MANY:
            return ()
        chosen = {best, *self._equals[best]}
        return tuple(name for name in (*kind.names, *kind.expected) if name in chosen)

    def has_many(self, kind: _Kind, best: Candidate) -> bool:
        """Return whether many of a kind were read as this, and were explained as well."""
        return self._readings[kind][_standing(best)] >= self._MANY

    def remember(self, kind: _Kind, candidates: Sequence[Candidate]) -> None:
        """Remember how a refused message was read."""
        self._readings.setdefault(kind, Counter())[_standing(candidates[0])] += 1
        equals = self._equals.setdefault(candidates[0].name, set())
        equals.update(rival.name for rival in candidates[1:] if rival.rank == 1)


def _standing(candidate: Candidate) -> tuple[str, Evidence]:
    """A candidate's name and what speaks for it: where it has text, however long that is."""
    return candidate.name, candidate._proof[:3]


class _Table:
    """The readings of some bytes, with what speaks for them. Of long bytes, only the best reading's
    result is kept: trees of large messages are large."""

    def __init__(self, data: bytes, expected: Collection[str], *, is_cut: bool) -> None:
        self._data = data
        self._expected = expected
        self._is_cut = is_cut
        self._rows: dict[str, tuple[Evidence, _Ranked]] = {}
        self._results: dict[str, Decoded[Any]] = {}
        self._best: Evidence | None = None

    def read(self, names: Iterable[str]) -> None:
        """Read the bytes as messages, where they were not before."""
        for name in names:
            if name not in self._rows:
                self._read(name)

    @property
    def is_clear(self) -> bool:
        """Whether a labelled message takes all bytes, with no deviation but of style."""
        return any(proof[:2] == (0, 0) and proof[2] <= 1 for proof, _ in self._rows.values())

    @property
    def has_whole(self) -> bool:
        """Whether a labelled message takes all bytes, with text or without, with no deviation but
        of style."""
        return any(proof[0] == 0 and proof[2] <= 1 for proof, _ in self._rows.values())

    @property
    def is_as_expected(self) -> bool:
        """Whether a message that is expected takes all bytes, with no deviation but of style."""
        return any(
            name in self._expected and proof[:2] == (0, 0) and proof[2] <= 1
            for name, (proof, _) in self._rows.items()
        )

    def ranked(self) -> tuple[Candidate, ...]:
        """Return the candidates, best first."""
        rows = [(self._preference(row.name, proof), row) for proof, row in self._rows.values()]
        rows.sort(key=itemgetter(0))
        ranks = {
            rated: rank for rank, rated in enumerate(sorted({row[0] for row in rows}), start=1)
        }
        return tuple(
            _candidate(
                row._replace(rank=ranks[rated]),
                self._data,
                self._results.get(row.name),
                self._rows[row.name][0],
            )
            for rated, row in rows
        )

    def _read(self, name: str) -> None:
        first = next(readings(self._data, built_in(name)), None)
        if first is None or not is_credible(first[1]):
            return
        version, result = first
        proof = evidence(result, foreign=_has_foreign_user_data(result))
        self._rows[name] = proof, _Ranked(0, name, version, "")
        rated = self._preference(name, proof)
        is_best = self._best is None or rated < self._best
        if is_best:
            self._best = rated
        if len(self._data) <= ALL_KEPT:
            self._results[name] = result
        elif is_best:
            self._results = {name: result}

    def _preference(self, name: str, proof: Evidence) -> Evidence:
        """What is expected comes first, unless it deviates and something else does not; and, where
        anything may be called so, unless something else has more text."""
        if self._is_chance(name, proof):
            proof = (1, *proof)
        if self._is_cut:
            proof = self._of_cut(name, proof)
        if not self._expected:
            return proof
        has_text = any(rank[:2] == (0, 0) for rank, _ in self._rows.values())
        is_clean = proof[0] == 0 and proof[2] <= 1 and not (proof[1] and has_text)
        group = 0 if is_clean else 1 if proof[0] == 0 else 2
        is_unexpected = name not in self._expected
        if not is_clean and is_vague(self._expected):
            if proof[0] == 0 and proof[2] == LIKELY and not is_unexpected:
                proof = (*proof[:2], CUT_SHORT, *proof[3:])  # another is cut, where this is whole
            group += proof[:2] not in ((0, 0), (1, 0))
            return 2 * group, *proof, is_unexpected
        return 2 * group + is_unexpected, *proof

    def _of_cut(self, name: str, proof: Evidence) -> Evidence:
        """What speaks for a message where a program is known to have cut it: that it takes all
        bytes, or all but those that its version promises, is less likely than that it ends in the
        middle, but for the messages that people meet most often."""
        result = self._results.get(name)
        if proof[0] > 0:
            is_whole = proof[0] == 1 and result is not None and result.error is None
            return (*proof[:3], 2, *proof[4:]) if is_whole else proof
        _, is_textless, severity, *more = proof
        if not is_textless:
            return 0, 0, max(severity, CUT_SHORT), *more, severity
        if name in MOST_COMMON and severity <= 1 and result is not None and result.complete:
            return 1, 0, 0, 0, 0  # what was cut off may be another's
        ends_between_fields = result is not None and result.error is not None
        return (1, 0, 0, 1, 0) if ends_between_fields else (1, *proof)

    def _is_chance(self, name: str, proof: Evidence) -> bool:
        """Whether the text of a message that is cut is so short that it comes about by chance,
        where the bytes are a whole message without any."""
        result = self._results.get(name)
        if proof[:2] != (0, 0) or -proof[3] >= _LEAST_TEXT or result is None:
            return False
        if result.complete or result.as_older_body is not None:
            return False
        return any(
            self._rows[of][0][:2] == (0, 1) and of in MOST_COMMON and other.complete
            for of, other in self._results.items()
        )


def _has_foreign_user_data(result: Decoded[Any]) -> bool:
    """Whether a message has user data in no layout that is known."""
    if len(result.data) > LOOKED_INTO:
        return False
    if not any(node.name == "user_data" and node.value for node in result.fields):
        return False
    odd = user_data_deviations(result, open_inside(result))
    return any(deviation.code == "KP073" for deviation in odd)


def _candidate(
    row: _Ranked, data: bytes, result: Decoded[Any] | None, proof: Evidence
) -> Candidate:
    candidate = Candidate(*row)
    candidate._data, candidate._seen, candidate._proof = data, result, proof
    return candidate


def _with_reason(candidate: Candidate) -> Candidate:
    row = candidate._replace(reason=_reason(candidate.decoded))
    return _candidate(row, candidate._data, candidate._seen, candidate._proof)


def _reason(result: Decoded[Any]) -> str:
    if result.error is not None:
        parts = [str(result.error)]
    elif result.remainder:
        parts = [f"complete, with {counted(len(result.remainder), 'byte')} left"]
    else:
        parts = ["read to the last byte"]
    if result.version != result.schema_version:
        parts.append(f"version {result.version} read as {result.schema_version}")
    codes = sorted({code for code, _ in deviations_of(result)})
    return "; ".join([*parts, ", ".join(codes)] if codes else parts)


# -- with the verdict of a policy


class Examined(msgspec.Struct, frozen=True):
    """Decoded bytes and the verdict of a policy on them.

    `error` is why the policy refuses the bytes (`refused`); under LENIENT, which refuses nothing,
    it is still why reading stopped. `rivals` are the names of the other messages that the bytes can
    be, where the type was identified: those of rank 1, or all if the bytes were read completely.
    `identified` is False where the type was to be identified and the bytes resemble no built-in
    message: `decoded` is then what they would be as a `FALLBACK`, and the policy refuses them.
    `equals` are those of the rivals that the bytes do not tell apart from `decoded`. `is_likely`:
    the type was identified as that of a labelled message with text in it; `is_clean`: besides, it
    takes all bytes, and does not deviate but in style. `has_text`: it may deviate in any way.
    `repair` says how the bytes were changed to be read; "" where they are those of the input.
    `doubt` says why they may be no message at all, and `remark` what else a person has to know of
    them where they were found; "" for most.
    """

    decoded: Decoded[Any]
    error: DecodeError | None
    refused: bool
    rivals: tuple[str, ...]
    identified: bool = True
    equals: tuple[str, ...] = ()
    is_likely: bool = False
    is_clean: bool = False
    has_text: bool = False
    repair: str = ""
    doubt: str = ""
    remark: str = ""

    @property
    def is_certain(self) -> bool:
        """Whether a label names a known version, and the bytes are that to the last one, or the
        label alone is wrong (KP040)."""
        decoded = self.decoded
        if not self.identified or decoded.message_class.FRAMING.kind == "none":
            return False
        if decoded.complete:
            return not decoded.remainder and decoded.version == decoded.schema_version
        return older_body(decoded) is not None


def examine(  # noqa: PLR0913  # all but two by name
    data: bytes,
    message_class: type[Message] | None = None,
    *,
    policy: Policy = Policy.KAFKA,
    reader_version: int | None = None,
    body_version: int | None = None,
    expected: Collection[str] = (),
    is_cut: bool = False,
    earlier: Earlier | None = None,
) -> Examined:
    """Decode as much of `data` as can be read, under any policy; the policy decides what is
    refused.

    Without `message_class` the type is identified; `expected` and `is_cut` are as for `identify`,
    and `earlier` is what refused messages of the same source were.
    A message without a label is read in the newest version that uses every byte, unless
    `body_version` names one. Raises ValueError as `decode` does for a version that does not exist.
    """
    candidates: tuple[Candidate, ...] = ()
    if message_class is None:
        candidates = _ranked(as_bytes(data), expected, is_cut=is_cut, earlier=earlier)
    is_damaged = message_class is None and was_read_as_text(data)
    if candidates and _is_chance(data, candidates[0], expected):
        candidates = ()
    identified = bool(candidates) or message_class is not None
    if message_class is None:
        message_class = built_in(candidates[0].name if candidates else _fallback(expected))
    result = None
    if reader_version is None and body_version is None and candidates:
        result = candidates[0].decoded
    if message_class.FRAMING.kind == "none" and body_version is None:
        if result is None:
            body_version, result = next(readings(data, message_class), (message_class.LATEST, None))
        else:
            body_version = result.version
    versions = {"reader_version": reader_version, "body_version": body_version}
    if result is None or reader_version is not None:
        result = decode(data, message_class, policy=Policy.LENIENT, **versions)
    is_named = identified and not candidates
    newer = result.as_newest_known if is_named else _newer_record(data, candidates, expected)
    if newer is not None:
        return Examined(newer, newer.error, policy is not Policy.LENIENT, (), is_likely=True)
    error, is_refused = verdict(result, policy, **versions)
    if not identified and (is_damaged or not is_credible(result)):
        return Examined(result, error, policy is not Policy.LENIENT, (), identified=False)
    equals = tuple(rival.name for rival in candidates[1:] if rival.rank == 1)
    rivals = _rivals(candidates, result, expected)
    return Examined(
        result, error, is_refused, rivals, equals=equals,
        is_likely=bool(candidates) and candidates[0].is_likely,
        is_clean=bool(candidates) and candidates[0].is_clean,
        has_text=bool(candidates) and candidates[0].has_text,
    )  # fmt: skip


def _fallback(expected: Collection[str]) -> str:
    """The message that bytes are decoded as which no reader takes: that of the field which is
    named in front of them, if it has a version."""
    named = () if is_vague(expected) else expected
    return next((name for name in named if built_in(name).FRAMING.kind == "version"), FALLBACK)


def _is_chance(data: bytes, best: Candidate, expected: Collection[str]) -> bool:
    """Whether bytes that were damaged, or that no reader of the named field takes because its
    version is below 0, are the best candidate by chance."""
    if was_read_as_text(data):
        return not best.is_clean
    return data[:1] >= b"\x80" and _fallback(expected) in expected and not best.is_likely


def _rivals(
    candidates: Sequence[Candidate], result: Decoded[Any], expected: Collection[str]
) -> tuple[str, ...]:
    """The names of the other messages that bytes can be which were read as the best candidate."""
    is_expected = result.message_class.NAME in expected
    if is_vague(expected) and not (candidates and candidates[0].has_text):
        is_expected = False  # neither the name nor a text says what the bytes are
    are_all = result.complete and not is_expected
    by_name = is_expected and not result.complete  # the name alone speaks for the best
    return tuple(
        rival.name
        for rival in candidates[1:]
        if are_all or rival.rank == 1 or (by_name and rival.takes_all)
    )


def _newer_record(
    data: bytes, candidates: Collection[Candidate], expected: Collection[str]
) -> Decoded[Any] | None:
    """A record of a version that is newer than those known, where that explains more of the text
    than the best of the candidates."""
    best = next(iter(candidates), None)
    if best is not None and best.is_likely and not expected:
        return None
    newer = newer_record(data, expected)
    if newer is None or best is None:
        return newer
    is_left_over = bool(best.decoded.remainder) and not newer.remainder
    has_more = text_read(newer.fields) > text_read(best.decoded.fields)
    return newer if has_more or is_left_over else None


def verdict(
    result: Decoded[Any],
    policy: Policy,
    *,
    reader_version: int | None = None,
    body_version: int | None = None,
) -> tuple[DecodeError | None, bool]:
    """Return why the policy refuses bytes that were read leniently, or why reading stopped; and
    whether they are refused. The versions are those that the bytes were read with.
    """
    error = result.error
    if error is None and policy is Policy.STRICT:
        versions = {"reader_version": reader_version, "body_version": body_version}
        try:
            decode(result.data, result.message_class, policy=policy, **versions)
        except DecodeError as refusal:
            error = refusal
    return error, error is not None and policy is not Policy.LENIENT


_MARKERS = {bytes(4): "ABORT", b"\0\0\0\1": "COMMIT"}


def marker(data: bytes) -> str:
    """Return what bytes are as the key or the value of a control record, which ends a transaction;
    "" for others."""
    if data in _MARKERS:
        return f"as a record's key, the key of a transaction marker ({_MARKERS[data]})"
    if len(data) == 6 and data[:2] == bytes(2):
        epoch = int.from_bytes(data[2:], "big")
        return f"as a record's value, the value of a transaction marker (coordinator epoch {epoch})"
    return ""


REPLACED = "\ufffd".encode()
"""What a program writes for a byte that is no UTF-8, when it takes bytes for text."""
_QUESTIONS = b"????"


def was_read_as_text(data: bytes) -> bool:
    """Return whether a program has taken the bytes for text and has lost those that are none: it
    has written U+FFFD for each, or a question mark."""
    if len(data) > LOOKED_INTO:
        return False
    return REPLACED in data or (_QUESTIONS in data and data.isascii())


def may_lack_bytes(decoded: Decoded[Any]) -> str:
    """Return the sentence about a message in which question marks may stand for bytes that are no
    ASCII; "" for others. No topic has a question mark in its name."""
    data = decoded.data
    if len(data) > LOOKED_INTO or b"?" not in data or not data.isascii():
        return ""
    if b"??" not in data and not _has_question(decoded.fields):
        return ""
    lost = counted(data.count(b"?"), "byte")
    return (
        f"it may have been read as text: up to {lost} may be lost, for which 3F stands (a question "
        "mark); print it as hex where it comes from to be sure"
    )


def _has_question(nodes: Iterable[FieldNode]) -> bool:
    return any(
        (node.path.rpartition(".")[2].startswith("topic") and "?" in str(node.value))
        or _has_question(node.children)
        for node in nodes
    )


def resembles_nothing(data: bytes) -> str:
    """Return the sentence about bytes that were not identified."""
    if was_read_as_text(data):
        is_utf8 = REPLACED in data
        lost = counted(data.count(REPLACED if is_utf8 else b"?"), "byte")
        sign = "EF BF BD stands (U+FFFD)" if is_utf8 else "3F stands (a question mark)"
        number = f"{lost} or more are" if is_utf8 else f"up to {lost} are"
        return (
            f"the bytes were read as text: {number} lost, for which {sign}; print them as hex "
            "where they come from"
        )
    if marker(data):
        return f"the bytes are no message of a group; {marker(data)}"
    kind = begins_like(data)
    beginning = "" if kind is None else f"; they begin like {kind}"
    return f"the bytes resemble no built-in message{beginning}"
