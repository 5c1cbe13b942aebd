"""Reading an input that is not plain hex: in a form by its name, in the one that fits, or a log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..chunks import MAX_BYTES, Chunk, Judge, Reading, Skipped, check_size
from ..cuts import DOTS, doubtful_end
from ..errors import CaptureError
from ..forms.dump_log import begins_with_record
from ..forms.raw import is_binary, is_text, of_its_size, to_text
from .catalogue import form_named
from .characters import among_words
from .detect import detect, divided
from .log import Readable, Scan, content_of


def scan(
    lines: Iterable[bytes] | Readable,
    *,
    max_bytes: int = MAX_BYTES,
    judge: Judge | None = None,
    line_form: str | None = None,
    thorough: bool = False,
) -> Scan:
    """Return an iterator of the bytes in a log's lines: `Chunk` and `DumpedRecord` objects.

    It reads no further than it must, so that an open file may have any size; a file is read in
    blocks, which is much faster than line by line. Its `lines`, `size` and `skipped` say how far it
    has read and what it skipped, by reason. `line_form` names the form of most lines, where each of
    them is a message. `thorough` looks into every line, for a short text.
    """
    return Scan(
        lines,
        max_bytes=max_bytes,
        judge=judge,
        divide=divided,
        line_form=None if line_form is None else form_named(line_form),
        thorough=thorough,
    )


_FIRST_LINE = 1 << 16  # bytes of it


def recognise_form(data: bytes, max_bytes: int, judge: Judge | None) -> Reading | None:
    """Return what `recognise` does for an input that is not plain hex."""
    if is_binary(data):
        plain = of_its_size(data)
        if judge is not None and (chunks := among_words(plain, judge)):
            return Reading(tuple(chunks), "raw")
        return read_as("raw", plain, max_bytes)
    if begins_with_record(to_text(data.lstrip()[:_FIRST_LINE])):
        return None
    if fit := detect(to_text(data), max_bytes, judge):
        read = tuple(_with_doubt(chunk, judge) for chunk in fit.content.chunks)
        return Reading(read, fit.form.name, fit.candidates)
    return None


def _with_doubt(chunk: Chunk, judge: Judge | None) -> Chunk:
    """The chunk, with what is said of dots at its end, which are left out of a whole message."""
    bare = chunk.data.removesuffix(DOTS)
    if chunk.remark or bare == chunk.data or (judge and judge.weigh(bare) >= 3 * len(bare)):
        return chunk
    return chunk._replace(remark=doubtful_end(chunk.data))


def read_as(name: str, data: bytes, max_bytes: int) -> Reading:
    """Return what `read` does for an input in the form of that name."""
    form = form_named(name)
    if form.name == "raw":
        check_size(len(data), max_bytes)
        return Reading((Chunk(data, "raw", remark=doubtful_end(data.rstrip())),), "raw")
    content = form.read(to_text(data), max_bytes)
    if not content.chunks and not content.records:
        raise CaptureError(
            f"nothing here is in the form {form.name}{_reasons(content.skipped)}; it looks like "
            f"this:\n{form.example}"
        )
    skipped = content.skipped
    if content.rest:
        skipped += (Skipped("text around the messages", 1, content.rest[0]),)
    chunks = content.chunks
    if form.name != "log":
        chunks = [chunk._replace(format=form.name) for chunk in chunks]
    return Reading(tuple(chunks), form.name, (), skipped, tuple(content.records))


def _reasons(skipped: Sequence[Skipped]) -> str:
    return "".join(f"; {skip.reason} (line {skip.line})" for skip in skipped[:3])


def read_any(data: bytes, max_bytes: int, judge: Judge | None) -> Reading:
    """Return what `read` does for an input whose form is to be found out."""
    if (reading := recognise_form(data, max_bytes, judge)) is not None:
        return reading

    content = content_of(to_text(data), max_bytes, judge, divided)
    if content.chunks or content.records:
        name = "kafka-dump-log" if content.records else "log"
        return Reading(tuple(content.chunks), name, (), content.skipped, tuple(content.records))
    if not is_text(data):
        return read_as("raw", data, max_bytes)
    raise CaptureError(
        "no bytes were found in this text"
        + _reasons(content.skipped)
        + ": name the form with --format, or take the text itself with --format raw"
    )
