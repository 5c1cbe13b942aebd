"""The plugin, as a client author uses it."""

from __future__ import annotations

from textwrap import dedent

import pytest

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


@pytest.mark.slow
def test_a_decoder_that_dies_of_versions(pytester: pytest.Pytester) -> None:
    """What says that such bytes are read, or refused, fails with the error in its own code."""
    first = "        at = 2\n"
    dying = "        {0: 0, 1: 0, 2: 0, 3: 0}[int.from_bytes(data[:2], signed=True)]\n"
    client = CARELESS.replace(first, first + dying)
    pytester.makepyfile(client=f"import struct\n{dedent(client)}")
    authors(pytester, "from client import decode", "decode", "struct.error")
    result = run(pytester, "-k", "G04 or G07 or G10")
    result.stdout.fnmatch_lines(["  not read: crash: KeyError: *"])
    result.stdout.fnmatch_lines(["  neither read nor refused: crash: KeyError: -*"])
    result.assert_outcomes(failed=2, passed=1)


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
