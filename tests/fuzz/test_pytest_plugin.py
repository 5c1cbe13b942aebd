"""The plugin, as a client author uses it."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from kproto.fuzz.guarantees.subjects import Decode, subject_of
from kproto.fuzz.subject import Failed, Failure, JsonObject, Read, Unsupported, Written

pytest_plugins = ["pytester"]

ARGUMENTS = ("-p", "no:cacheprovider", "-rA")  # pytest finds the plugin by itself

AUTHORS_TEST = """
    import struct
    import pytest
    {imports}

    @pytest.fixture
    def kproto_decoder():
        return {decoder}

    @pytest.fixture
    def kproto_errors():
        return {errors}

    def test_guarantee(kproto_guarantee):
        kproto_guarantee.check()
"""

# A client's own kind of decoder: version 0 alone, whatever the label, and careless.
CARELESS = """
    def decode(name, data):
        def take(form):
            nonlocal at
            found = struct.unpack_from(form, data, at)
            at += struct.calcsize(form)
            return found[0]
        at = 2
        topics = [take(f"{take('>h')}s").decode() for _ in range(take(">i"))]
        size = take(">i")
        return {"topics": topics, "userData": None if size < 0 else take(f"{size}s")}
"""


def authors(pytester: pytest.Pytester, imports: str, decoder: str, errors: str) -> None:
    text = AUTHORS_TEST.format(imports=imports.strip(), decoder=decoder, errors=errors)
    pytester.makepyfile(text)


def run(pytester: pytest.Pytester, *more: str) -> pytest.RunResult:
    return pytester.runpytest_subprocess(*ARGUMENTS, *more)  # modules are not imported twice


@pytest.mark.slow
def test_a_decoder_that_keeps_everything_required(pytester: pytest.Pytester) -> None:
    authors(
        pytester,
        "from kproto.codec import DecodeError, decode, message_class",
        "lambda name, data: decode(data, message_class(name)).message.to_json()",
        "DecodeError",
    )
    result = run(pytester)
    assert result.ret == 0
    outcomes = result.parseoutcomes()
    assert outcomes["passed"] >= 15
    assert outcomes["skipped"] >= 5  # nothing is written, and no version shown
    result.stdout.fnmatch_lines(["PASSED *::test_guarantee[[]G03-reads-valid]"])


@pytest.mark.slow
def test_a_decoder_that_breaks_some(pytester: pytest.Pytester) -> None:
    authors(pytester, CARELESS.strip(), "decode", "(struct.error, UnicodeDecodeError)")
    pytester.makeconftest(
        "import pytest\n"
        "@pytest.fixture\n"
        "def kproto_names():\n"
        "    return ['ConsumerProtocolSubscription']\n"
    )
    result = run(pytester, "--kproto-scope", "required")
    assert result.ret == 1
    result.stdout.fnmatch_lines([
        "*test_guarantee[[]G07-negative-version]*",
        "A negative version is refused.",
        "*accepted, as *",
        "*ConsumerProtocolSubscription *",
    ])  # fmt: skip
    result.stdout.fnmatch_lines(["PASSED *G03-reads-valid]"])
    result.stdout.no_fnmatch_line("*G23*")


def test_what_is_missing_is_said(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_guarantee(kproto_guarantee): kproto_guarantee.check()")
    result = run(pytester)
    assert result.parseoutcomes().keys() == {"errors"}
    result.stdout.fnmatch_lines(["*define a fixture kproto_decoder*"])


def test_who_does_not_ask_pays_nothing(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "import sys\n"
        "def test_light():\n"
        "    assert not {'hypothesis', 'kproto.fuzz.guarantees.table'} & set(sys.modules)\n"
    )
    result = pytester.runpytest_subprocess(*ARGUMENTS, "-p", "no:hypothesispytest")
    assert result.ret == 0


def test_what_is_wrong_with_a_fixture_is_one_sentence(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        import pytest
        @pytest.fixture
        def kproto_decoder(): return lambda name, data: {}
        @pytest.fixture
        def kproto_names(): return ["ConsumerProtocolSubscripton"]
        def test_guarantee(kproto_guarantee): kproto_guarantee.check()
    """)
    result = run(pytester)
    assert result.parseoutcomes().keys() == {"errors"}
    result.stdout.fnmatch_lines(["there is no message 'ConsumerProtocolSubscripton'*"])
    result.stdout.no_fnmatch_line("*Traceback*")


# -- the author's functions


def nothing(name: str, data: bytes) -> Mapping[str, Any]:
    return {}


MISTAKES: dict[str, tuple[Callable[[], object], str]] = {
    "a text for names": (
        lambda: subject_of(nothing, names="ConsumerProtocolSubscription"), "is not a list of"
    ),
    "no names": (lambda: subject_of(nothing, names=[]), "is not a list of"),
    "a name of nothing": (lambda: subject_of(nothing, names=["Nope"]), "no message 'Nope'"),
    "a list of errors": (
        lambda: subject_of(nothing, errors=[ValueError]),  # type: ignore[arg-type]
        "not a class of exceptions",
    ),
    "an error that is none": (
        lambda: subject_of(nothing, errors=int),  # type: ignore[arg-type]
        "not a class of exceptions",
    ),
    "no function": (lambda: subject_of("x"), "a decoder takes"),  # type: ignore[arg-type]
    "too few arguments": (lambda: subject_of(lambda data: {}), "a decoder takes"),
    "an encoder of the same": (
        lambda: subject_of(encode=lambda value: b""),  # type: ignore[misc, arg-type]
        "an encoder takes",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", MISTAKES)
def test_a_mistake_is_told_at_once(what: str) -> None:
    call, words = MISTAKES[what]
    with pytest.raises((TypeError, ValueError), match=words):
        call()


def test_an_encoder_may_change_what_it_is_given() -> None:
    def encode(name: str, version: int, value: JsonObject) -> bytes:
        value["topics"].sort()
        value.clear()
        return b"x"

    value = {"topics": ["b", "a"], "userData": None}
    before = copy.deepcopy(value)
    assert subject_of(encode=encode).encode("ConsumerProtocolSubscription", 0, value) == Written(
        b"x"
    )
    assert value == before


LABELLED, BARE = "ConsumerProtocolSubscription", "JoinGroupRequest"
NUMBERS = {LABELLED: "generationId", BARE: "sessionTimeoutMs"}


@pytest.mark.parametrize(
    ("decode", "labelled", "bare"),
    [
        (lambda name, data: {NUMBERS[name]: 2}, 2, None),
        (lambda name, data, version: {NUMBERS[name]: version}, None, 9),
        (lambda name, data, version=7: {NUMBERS[name]: version}, 7, 9),
        (lambda *given: {NUMBERS[given[0]]: len(given)}, 2, 3),
    ],
)
def test_who_takes_a_version_is_given_one(
    decode: Decode, labelled: int | None, bare: int | None
) -> None:
    subject = subject_of(decode, names=[LABELLED, BARE])
    assert subject.decode(LABELLED, b"") == Read({NUMBERS[LABELLED]: labelled})
    answer = subject.decode(BARE, b"", 9)
    assert (
        isinstance(answer, Unsupported) if bare is None else answer == Read({NUMBERS[BARE]: bare})
    )


def test_a_decoder_in_c_that_does_not_say_what_it_takes_is_given_two() -> None:
    subject = subject_of(max, names=[LABELLED, BARE])
    assert isinstance(subject.decode(LABELLED, b""), Failed)  # called, and not told in advance
    assert isinstance(subject.decode(BARE, b"", 9), Unsupported)


def test_a_decoder_that_ends_the_process_is_a_finding() -> None:
    answer = subject_of(lambda name, data: sys.exit(3)).decode(LABELLED, b"")
    assert answer == Failed(Failure.CRASH, "SystemExit: 3")
