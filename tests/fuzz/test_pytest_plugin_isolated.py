"""The plugin with a client in a process of its own, and with adapters that are wrong."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import pytest

pytest_plugins = ["pytester"]


class _Any:
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


ANY = _Any()

ARGUMENTS = ("-p", "no:cacheprovider", "-rA", "--kproto-scope", "required")

CLIENT = """
    import ctypes, os, struct, sys, time

    class DecodeError(Exception):
        pass

    def decode(data):
        def take(form):
            nonlocal at
            found = struct.unpack_from(form, data, at)
            at += struct.calcsize(form)
            return found[0]
        at = 0
        try:
            version, topics = take(">h"), []
            if version < 0:
                FAULT
            for _ in range(take(">i")):
                size = take(">h")
                if size < 0:
                    raise DecodeError(size)
                topics.append(take(f"{size}s").decode(errors="replace"))
        except struct.error as error:
            raise DecodeError(str(error)) from None
        return {"topics": topics}
"""

TEST = """
    import my_client, pytest

    @pytest.fixture
    def kproto_decoder():
        return ADAPTER

    @pytest.fixture
    def kproto_names():
        return ["ConsumerProtocolSubscription"]

    @pytest.fixture
    def kproto_errors():
        return my_client.DecodeError

    def test_guarantee(kproto_guarantee):
        kproto_guarantee.check()

    def test_another():
        print("the suite goes on")
"""

FEW = """
    from kproto.fuzz.conformance import inputs
    from kproto.fuzz.guarantees.cases import Case

    BYTES = {
        "valid": ["00000000000100016f0000000200ff", "000000000000ffffffff"],
        "odd": ["0000000000010009 5f5f70726f746f5f5f 00000000"],
        "version": [f"ffff0000000100016{digit:x}ffffffff" for digit in range(10)],
        "cut": ["00", "0000000000010005ff"],
    }
    inputs.questions = lambda names, *, seed: [
        Case(*names, bytes.fromhex(data), None, kind) for kind in BYTES for data in BYTES[kind]
    ]
"""
"""A conftest.py with a few inputs: most tests are about processes, and all inputs take seconds."""

DIRECT = "lambda name, data: my_client.decode(data)"


def client(pytester: pytest.Pytester, fault: str, adapter: str = DIRECT) -> None:
    pytester.makepyfile(my_client=CLIENT.replace("FAULT", fault))
    pytester.makepyfile(test_client=TEST.replace("ADAPTER", adapter))
    pytester.makeconftest(FEW)


def run(pytester: pytest.Pytester, *more: str) -> pytest.RunResult:
    return pytester.runpytest_subprocess(*ARGUMENTS, *more)


ENDS = {
    "os.abort()": "*crash: died of SIGABRT: Fatal Python error: Aborted; File *client_*.py*",
    "os._exit(7)": "*crash: ended with exit status 7*",
    "sys.exit(7)": "*crash: SystemExit: 7*",
    "ctypes.string_at(0)": "*crash: died of SIGSEGV: *",
    "os.kill(os.getpid(), 9)": "*crash: died of SIGKILL*",
    "raise KeyboardInterrupt": "*crash: ended with exit status 1: KeyboardInterrupt*",
    "bytearray(1 << 40)": "*memory: MemoryError*",
    "os.write(2, b'x' * (9 << 20)), time.sleep(60)": "*flood: *standard error*",
    "while True: pass": "*hang: no answer within 0.5 seconds*",
}


def test_the_suite_outlives_a_client_that_dies_or_hangs(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(FEW)
    pytester.makepyfile(**{
        f"client_{number}": CLIENT.replace("FAULT", fault) for number, fault in enumerate(ENDS)
    })  # fmt: skip
    pytester.makepyfile(
        test_clients=TEST.replace("import my_client, pytest", "import importlib, pytest")
        .replace("ADAPTER", "lambda name, data: my_client.decode(data)")
        .replace("kproto_decoder()", "kproto_decoder(my_client)")
        .replace("kproto_errors()", "kproto_errors(my_client)")
        + f"""
    @pytest.fixture(params=range({len(ENDS)}))
    def my_client(request):
        return importlib.import_module(f"client_{{request.param}}")
"""
    )
    result = run(pytester, "--kproto-timeout", "0.5", "-k", "G01 or another")
    assert result.parseoutcomes() == {"failed": len(ENDS), "passed": 1, "deselected": ANY}
    for words in ENDS.values():
        result.stdout.fnmatch_lines(["*Any bytes get an answer*", words, "*Subscription *"])
    result.stdout.no_fnmatch_line("*Your adapter*")


def test_memory_that_is_there_is_bounded(pytester: pytest.Pytester) -> None:
    client(pytester, "bytearray(400 << 20)")
    asked = ("--kproto-memory", "200", "-k", "G01 or G02")
    result = run(pytester, *asked)
    result.stdout.fnmatch_lines(["FAILED *G01-*", "FAILED *G02-*"])


def test_a_fixture_refuses_the_process(pytester: pytest.Pytester) -> None:
    client(pytester, "os.abort()")
    pytester.makeconftest(
        FEW
        + """
    import pytest
    @pytest.fixture
    def kproto_isolated(): return False
    """
    )
    assert run(pytester, "-k", "G01 or G03 or another").ret < 0


def test_by_default_the_suite_goes_on(pytester: pytest.Pytester) -> None:
    client(pytester, "os.abort()")
    result = run(pytester, "-k", "G01 or G03 or another")
    assert result.parseoutcomes() == {"failed": 1, "passed": 2, "deselected": ANY}


def test_a_client_that_allocates_what_it_is_told_to_is_named(pytester: pytest.Pytester) -> None:
    """Its message is found within seconds, and named."""
    client(pytester, "raise DecodeError(version)")
    allocating = CLIENT.replace('in range(take(">i")):', 'in [None] * take(">i"):')
    assert allocating != CLIENT
    pytester.makepyfile(my_client=allocating.replace("FAULT", "raise DecodeError(version)"))
    pytester.makeconftest(FEW.replace('"valid": [', '"valid": ["00007fffffff0001", '))
    result = run(pytester, "-k", "G01 or another")
    result.stdout.fnmatch_lines(["*memory: MemoryError*", "*00007fffffff0001*"])
    assert result.parseoutcomes() == {"failed": 1, "passed": 1, "deselected": ANY}


def test_without_it_such_a_client_takes_the_suite_along(pytester: pytest.Pytester) -> None:
    client(pytester, "os.abort()")
    result = run(pytester, "--kproto-in-process", "-k", "G01 or another")
    assert result.ret < 0  # what the option is for
    result.stdout.no_fnmatch_line("*PASSED*another*")


def test_a_hang_is_not_waited_for_in_each_test(pytester: pytest.Pytester) -> None:
    client(pytester, "time.sleep(60)")
    result = run(pytester, "--kproto-timeout", "0.2", "-k", "G01 or G02 or G07")
    result.stdout.fnmatch_lines([
        "SKIPPED *inputs were not asked: it hung too often on others like them",
        "FAILED *G01-answers]*",
        "FAILED *G07-negative-version]*",
    ])  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("isolated", [("--kproto-in-process",), ()], ids=["here", "isolated"])
def test_the_verdict_is_the_same_here_and_there(
    isolated: tuple[str, ...], pytester: pytest.Pytester
) -> None:
    client(pytester, "pass")  # version -1 is read as any other
    pytester.makeconftest("")  # all inputs
    result = run(pytester, *isolated)
    failed = [line.split()[1] for line in result.outlines if line.startswith("FAILED ")]
    assert [name.partition("[")[2][:3] for name in sorted(failed)] == ["G07", "G10"]


MISTAKES = {
    "lambda name, data: my_client.decode(name, data)": "adapter: TypeError: *test_client.py*",
    "lambda name, data: {'topics': my_client.decode(data)['x']}": "adapter: KeyError: 'x', *",
    "lambda name, data: my_client.read(data)": "adapter: AttributeError: *no attribute 'read'*",
    "lambda name, data: decode(data)": "adapter: NameError: *",
}


@pytest.mark.parametrize("isolated", [("--kproto-in-process",), ()], ids=["here", "isolated"])
@pytest.mark.parametrize("adapter", MISTAKES)
def test_a_mistake_of_the_adapter_is_no_fault_of_the_client(
    adapter: str, isolated: tuple[str, ...], pytester: pytest.Pytester
) -> None:
    client(pytester, "raise DecodeError(version)", adapter)
    result = run(pytester, *isolated, "-k", "G01 or G03")
    assert result.parseoutcomes() == {"failed": 2, "deselected": ANY}
    result.stdout.fnmatch_lines(
        ["Your adapter failed, not the client: *", f"  {MISTAKES[adapter]}"]
    )
    result.stdout.no_fnmatch_line("*crash: *")


def test_the_clients_own_error_is_the_clients(pytester: pytest.Pytester) -> None:
    client(pytester, "{}['x']")
    result = run(pytester, "-k", "G01")
    result.stdout.fnmatch_lines(["*Any bytes get an answer*", "*crash: KeyError: 'x'*"])
    result.stdout.no_fnmatch_line("*Your adapter*")


def test_a_mistake_at_some_inputs_leaves_the_others_judged(pytester: pytest.Pytester) -> None:
    odd = "lambda name, data: {'topics': [t + None if '__' in t else t for t in DECODED]}"
    client(
        pytester, "raise DecodeError", odd.replace("DECODED", "my_client.decode(data)['topics']")
    )
    result = run(pytester, "-k", "G01 or G03")
    result.stdout.fnmatch_lines(["Your adapter failed*", "  adapter: TypeError: *", "PASSED *G03*"])


KIO = """
    import pytest
    from kio.schema.consumer_protocol_subscription.v0 import ConsumerProtocolSubscription
    from kio.serial import entity_reader
    from kio.serial.errors import SerialError

    read = entity_reader(ConsumerProtocolSubscription)

    def decode(name, data):
        if data[:2] != b"\\0\\0":
            raise NotImplementedError("version 0 alone")
        value, _ = read(data, 2)
        return {"topics": list(value.topics or ()), "userData": value.user_data}

    @pytest.fixture
    def kproto_decoder():
        return decode

    @pytest.fixture
    def kproto_names():
        return ["ConsumerProtocolSubscription"]

    @pytest.fixture
    def kproto_errors():
        return SerialError, UnicodeDecodeError

    def test_guarantee(kproto_guarantee):
        kproto_guarantee.check()
"""


@pytest.mark.slow
@pytest.mark.skipif(find_spec("kio") is None, reason="kio is not installed")
@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux alone")
def test_kio_aborts_in_a_process_of_its_own(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_kio=KIO)
    result = run(pytester, "-k", "G01 or G02 or G03")
    result.stdout.fnmatch_lines(["*memory: died of SIGABRT: memory allocation of*", "PASSED *G03*"])
