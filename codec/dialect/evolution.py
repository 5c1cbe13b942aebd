"""Rules of evolution: which changes of a definition break readers or writers (`compare`).

There are two ways to have several versions in use at once, and a set of rules for each:

- *Clamped* (the consumer protocol): versions are not negotiated. Every reader may meet every
  version; it reads a newer one by the newest layout that it knows, and ignores the rest. So every
  version has to be a prefix of the next: fields are only added at the end, in a new version, and no
  version is flexible.
- *Negotiated* (requests, responses, records; Connect, by the protocol's name): reader and writer
  agree on a version that both know. So the layout of a published version never changes. Old
  versions may be dropped, and so may the whole message. A version marked unstable is not published
  yet.

Both compare layouts, that is, what is in the bytes: a renamed field is reported, and breaks
nothing. Source: KIP-429 (forward compatibility), KIP-482, Kafka's EvolutionVerifier.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import msgspec

from .layout import Layout, Slot, layout
from .spec import Spec


class Rule(NamedTuple):
    """A row of the table of rules: whether such a change is a break, and the rule in words."""

    breaks: bool
    text: str


RULES: dict[str, Rule] = {
    "removed": Rule(True, "a field of a published version is never removed"),
    "added": Rule(True, "nothing is added to a published version"),
    "inserted": Rule(True, "a new field comes after all fields of older versions"),
    "reordered": Rule(True, "fields keep their order"),
    "retyped": Rule(True, "a field keeps its type"),
    "nullability": Rule(True, "whether a field may be null never changes in a published version"),
    "null-for-old-readers": Rule(True, "a field that older readers know never becomes nullable"),
    "flexible": Rule(
        True, "a clamped message is never flexible: old readers do not know compact forms"
    ),
    "tag-changed": Rule(True, "a tag keeps its field"),
    "tag-removed": Rule(
        False, "a tagged field may be removed: readers that lack it keep it as unknown"
    ),
    "tag-added": Rule(
        False, "a tagged field may be added: readers that lack it keep it as unknown"
    ),
    "version-dropped": Rule(True, "no version of a clamped message is ever dropped"),
    "old-version-dropped": Rule(
        False, "an old version may be dropped where versions are negotiated"
    ),
    "newest-version-dropped": Rule(True, "the newest published version is never dropped"),
    "framing": Rule(True, "what is in front of the fields never changes"),
    "api-key": Rule(True, "an API key or record type never changes"),
    "renamed": Rule(
        False, "a name may change: it is not in the bytes, but in the JSON form and in code"
    ),
    "default": Rule(False, "a default may change, and with it what older bytes are read as"),
    "version-added": Rule(False, "a new version may be added"),
    "unstable": Rule(False, "the newest version was marked unstable, so it may still change"),
    "message-removed": Rule(False, "the message was removed"),
    "message-added": Rule(False, "the message was added"),
}
"""Every rule by its id. `breaks` says whether `compare` calls the change a break."""


class Change(msgspec.Struct, frozen=True):
    """A difference between two definitions.

    `rule` is a key of `RULES`; `path` the field in the definition's spelling
    ("OwnedPartitions.Topic"), "" for the message; `version` the version that differs; `reader` the
    version that it is read as, where that is another; `detail` says what changed.
    """

    rule: str
    path: str
    version: int | None
    detail: str
    reader: int | None = None

    @property
    def breaks(self) -> bool:
        """Whether the change breaks readers or writers."""
        return RULES[self.rule].breaks


def compare(old: Spec, new: Spec) -> tuple[Change, ...]:
    """Return every difference that shows in bytes, names or defaults, breaks first."""
    clamped = "clamp" in (old.framing.newer, new.framing.newer)
    changes = [
        *_front(old, new),
        *_versions(old, new, clamped),
        *_published(old, new),
        *(_prefixes(new) if clamped else ()),
        *_new_versions(old, new),
        *_defaults(old, new),
    ]
    unique = {(c.rule, c.path, c.detail): c for c in reversed(changes)}  # the lowest version stays
    return tuple(sorted(unique.values(), key=lambda c: (not c.breaks, c.version or 0, c.path)))


def _front(old: Spec, new: Spec) -> Iterator[Change]:
    if old.framing != new.framing:
        yield Change("framing", "", None, f"{_framing(old)} became {_framing(new)}")
    if old.api_key != new.api_key:
        yield Change("api-key", "", None, f"{old.api_key} became {new.api_key}")


def _framing(spec: Spec) -> str:
    return f"{spec.framing.kind} ({spec.framing.newer})"


def _versions(old: Spec, new: Spec, clamped: bool) -> Iterator[Change]:
    for version in old.versions:
        if version not in new.versions:
            rule = "version-dropped" if clamped else _negotiated_drop(old, new, version)
            yield Change(
                rule, "", version, f"version {version} was dropped; there are {new.versions}"
            )
    if clamped:
        for version in new.flexible:
            reader = version - 1 if version - 1 in new.versions else None
            yield Change("flexible", "", version, f"version {version} is flexible", reader)


def _negotiated_drop(old: Spec, new: Spec, version: int) -> str:
    if not new.versions or version < new.versions.highest:
        return "old-version-dropped"
    unstable = old.latest_unstable and version == old.versions.highest
    return "unstable" if unstable else "newest-version-dropped"


def _published(old: Spec, new: Spec) -> Iterator[Change]:
    """Yield the changes in versions that both have, whose layout may not change."""
    for version in old.versions & new.versions:
        old_layout, new_layout = layout(old, version), layout(new, version)
        changed = _compare(old_layout, new_layout, version, "", "nullability")
        if old.latest_unstable and version == old.versions.highest:
            yield from (_allowed(change) for change in changed)
            continue
        yield from changed
        if old_layout.flexible != new_layout.flexible and new.framing.newer != "clamp":
            detail = f"version {version} {'became' if new_layout.flexible else 'was'} flexible"
            yield Change("retyped", "", version, detail)


def _allowed(change: Change) -> Change:
    return msgspec.structs.replace(
        change, rule="unstable", detail=f"{change.rule}: {change.detail}"
    )


def _new_versions(old: Spec, new: Spec) -> Iterator[Change]:
    """Yield the new versions, each with the fields that begin with it."""
    for version in new.versions:
        if version > old.versions.highest:
            fields = [field for field in new.fields if field.versions.lowest == version]
            added = ", ".join(f"{field.name} ({field.type})" for field in fields)
            more = f", with {added}" if added else ", without a new field"
            yield Change("version-added", "", version, f"version {version} is new{more}")


def _prefixes(new: Spec) -> Iterator[Change]:
    """Yield where a version is no prefix of the next, as clamped messages require."""
    for older, newer in pairwise(new.versions):
        old_layout, new_layout = layout(new, older), layout(new, newer)
        cut = Layout(
            struct=new_layout.struct,
            flexible=new_layout.flexible,
            slots=new_layout.slots[: len(old_layout.slots)],
            tagged=(),
            absent=(),
        )
        moved = {slot.field.name for slot in new_layout.slots[len(old_layout.slots) :]}
        for change in _compare(old_layout, cut, newer, "", "null-for-old-readers"):
            if change.rule == "removed" and change.path in moved:
                continue  # the field in front of it is reported instead
            rule = "inserted" if change.rule == "added" else change.rule
            yield msgspec.structs.replace(change, rule=rule, reader=older)


# -- two layouts, field by field


def _compare(
    old_layout: Layout, new_layout: Layout, version: int, path: str, null: str
) -> Iterator[Change]:
    names = [slot.field.name for slot in old_layout.slots]
    other_names = [slot.field.name for slot in new_layout.slots]
    if sorted(names) == sorted(other_names) and names != other_names:
        yield Change(
            "reordered", path, version, f"{', '.join(names)} became {', '.join(other_names)}"
        )
        return
    yield from _aligned(old_layout, new_layout, version, path, null)
    yield from _tags(old_layout, new_layout, version, path)


def _aligned(
    old_layout: Layout, new_layout: Layout, version: int, path: str, null: str
) -> Iterator[Change]:
    """Yield the changes of fields, matched by name first, so that an insertion shows as one."""
    names = {slot.field.name for slot in old_layout.slots}
    other_names = {slot.field.name for slot in new_layout.slots}
    missing_slots = [slot for slot in old_layout.slots if slot.field.name not in other_names]
    come = [slot for slot in new_layout.slots if slot.field.name not in names]
    if len(missing_slots) == len(come) and _renamed(old_layout, new_layout):
        for old, new in zip(old_layout.slots, new_layout.slots, strict=True):
            if old.field.name != new.field.name:
                detail = f"{old.field.name} became {new.field.name}"
                yield Change("renamed", _join(path, old), version, detail)
            yield from _slot(old, new, version, path, null)
        return
    for slot in missing_slots:
        yield Change("removed", _join(path, slot), version, f"{slot.field.type} was removed")
    for slot in come:
        yield Change("added", _join(path, slot), version, f"{slot.field.type} was added")
    new_slots = {slot.field.name: slot for slot in new_layout.slots}
    for slot in old_layout.slots:
        if slot.field.name in new_slots:
            yield from _slot(slot, new_slots[slot.field.name], version, path, null)


def _renamed(old_layout: Layout, new_layout: Layout) -> bool:
    """Return whether the fields with differing names are at the same places, of the same types."""
    return all(
        old.field.name == new.field.name or _kind(old) == _kind(new)
        for old, new in zip(old_layout.slots, new_layout.slots, strict=True)
    )


def _kind(slot: Slot) -> tuple[object, ...]:
    base = "struct" if slot.element is not None else slot.base
    return (base, slot.field.type.array, slot.compact, slot.optional)


def _slot(old: Slot, new: Slot, version: int, path: str, null: str) -> Iterator[Change]:
    """Yield the changes of one field; `null` is the rule for a field that becomes nullable."""
    place = _join(path, old)
    if _kind(old) != _kind(new):
        yield Change("retyped", place, version, f"{_type(old)} became {_type(new)}")
        return
    if new.nullable and not old.nullable:
        yield Change(null, _join(path, new), version, "became nullable")
    elif old.nullable and not new.nullable:
        yield Change("nullability", place, version, "is no longer nullable")
    if old.element is not None and new.element is not None:
        yield from _compare(old.element, new.element, version, place, null)


def _tags(old_layout: Layout, new_layout: Layout, version: int, path: str) -> Iterator[Change]:
    olds = {slot.field.tag: slot for slot in old_layout.tagged}
    news = {slot.field.tag: slot for slot in new_layout.tagged}
    for tag in sorted(olds.keys() | news.keys(), key=lambda tag: tag or 0):
        if tag not in news:
            yield Change("tag-removed", _join(path, olds[tag]), version, f"tag {tag}")
        elif tag not in olds:
            yield Change("tag-added", _join(path, news[tag]), version, f"tag {tag}")
        elif _kind(olds[tag]) != _kind(news[tag]):
            detail = f"tag {tag}: {_type(olds[tag])} became {_type(news[tag])}"
            yield Change("tag-changed", _join(path, olds[tag]), version, detail)


def _type(slot: Slot) -> str:
    text = str(slot.field.type)
    extras = [slot.field.encoding, "compact" if slot.compact else "", "optional" * slot.optional]
    return " ".join([text, *filter(None, extras)])


def _join(path: str, slot: Slot) -> str:
    return f"{path}.{slot.field.name}" if path else slot.field.name


# -- defaults


def _defaults(old: Spec, new: Spec) -> Iterator[Change]:
    old_defaults = dict(_all_defaults(old))
    for path, value in _all_defaults(new):
        if path in old_defaults and old_defaults[path] != value:
            yield Change("default", path, None, f"{old_defaults[path]!r} became {value!r}")


def _all_defaults(spec: Spec) -> Iterator[tuple[str, object]]:
    for field in spec.fields:
        yield field.name, field.default
    for struct in spec.structs.values():
        for field in struct.fields:
            yield f"{struct.name}.{field.name}", field.default
