"""Which form a text is in, decided by which messages decode: fresh messages in every form."""

from __future__ import annotations

import json
import random
from base64 import b64encode
from binascii import hexlify
from collections.abc import Callable
from pprint import pformat

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from kproto.capture.forms.raw import is_binary
from kproto.capture.text import CaptureError, Chunk, Reading, read
from kproto.codec import ConsumerProtocolAssignment as Assignment
from kproto.codec import GroupMetadataKey, OffsetCommitValue, message_class
from kproto.fuzz.strategies import assignments, subscriptions
from kproto.inspector.evidence import MessageJudge

from .written import Text, texts

JUDGE = MessageJudge()


def found(text: str) -> list[bytes]:
    return [chunk.data for chunk in reading(text).chunks]


def reading(text: str) -> Reading:
    return read(text.encode(), judge=JUDGE)


@pytest.mark.parametrize(
    "count", [pytest.param(count, marks=[pytest.mark.slow] * (count != 2)) for count in range(1, 6)]
)
def test_every_form_and_arrangement_of_random_messages(rng: random.Random, count: int) -> None:
    """At most one text in two hundred is read wrong, and never in silence."""
    # A rate over many texts, so that there is no failing one to shrink.
    wrong: list[tuple[Text, Reading]] = []
    tried = refused = 0
    for text in texts(rng, count):
        tried += 1
        try:
            made = reading(text.text)
        except CaptureError:
            refused += 1
            continue
        if [chunk.data for chunk in made.chunks] != text.messages:
            wrong.append((text, made))
    assert len(wrong) + refused <= tried // 200, wrong
    told = (
        made.candidates or [chunk for chunk in made.chunks if chunk.remark] for _, made in wrong
    )
    assert all(told), wrong


consumers = st.one_of(subscriptions(), assignments()).map(lambda given: given.data)


@given(st.lists(consumers, min_size=2, max_size=5), st.sampled_from(["\n", "\n\n", ",", " "]))
def test_messages_out_of_the_strategies_are_never_glued_in_silence(
    messages: list[bytes], between: str
) -> None:
    made = reading(between.join(data.hex() for data in messages))
    assert [chunk.data for chunk in made.chunks] == messages or made.candidates


@pytest.mark.parametrize("end", [10, 11, 12, 13, 14, 16, 17])
def test_the_first_byte_of_a_cut_message_is_not_the_number_of_a_line(end: int) -> None:
    cut = bytes.fromhex("00010000000100066f7264657273ffffffff")[:end]
    assert found(cut.hex(" ")) == [cut]


def test_half_a_byte_behind_pairs_is_no_byte() -> None:
    """With `0a` in the place of `a` the assignment would be whole."""
    data = bytes.fromhex("0000000000010003786a660000000100000086000000044c8358ae")
    assert found(f"member: c-1\nbytes: {data.hex(' ')[:-1]}\n") == [data[:-1]]


@pytest.mark.parametrize(
    "text", ['["a", "b", "c", "d", "e", "f"]', "['aa', 'bb', 'cc', 'dd', 'ee']"]
)
def test_letters_in_quotes_are_no_bytes(text: str) -> None:
    with pytest.raises(CaptureError, match="no bytes"):
        reading(text)


def test_numbers_that_decode_in_octal_too_are_decimal() -> None:
    data = bytes.fromhex("00030000000100057573657273000000010000000100000000")
    (chunk,) = reading(f"msg {','.join(map(str, data))}\n").chunks
    assert chunk.data == data and "octal" in chunk.remark


def test_where_two_forms_do_equally_well_both_are_named() -> None:
    """Six bytes of an empty key, and twelve: each line is a key, and so is neither glued."""
    key = GroupMetadataKey(group="g").to_bytes().hex()
    made = reading(f"{key}\n{key}\n")
    assert [chunk.data.hex() for chunk in made.chunks] == [key, key]
    unknown = bytes(range(100, 130))
    made = reading(f"{unknown.hex()}\n{unknown[:10].hex()}\n{unknown.hex()}\n")
    assert made.candidates, "nothing decodes, so that nothing is certain"


def test_a_message_of_another_kind_is_evidence_too() -> None:
    data = OffsetCommitValue(offset=7, metadata="m" * 40, commit_timestamp=5).to_bytes()
    digits = data.hex()
    rows = [digits[:33], digits[33:50], digits[50:]]
    assert found("\n".join(rows)) == [data]


@pytest.mark.parametrize("rows", [1, 5, 40])
def test_a_star_without_offsets_is_what_makes_the_message_decode(rows: int) -> None:
    """`od -An` prints `*` for equal rows, and nothing says for how many."""
    name = b"a" * (16 * (rows + 1) + 8)
    data = b"\0\0\0\0\0\1" + len(name).to_bytes(2, "big") + name + b"\xff" * 4
    pieces = [data[at : at + 16].hex(" ") for at in range(0, len(data), 16)]
    assert pieces[1] == pieces[rows]
    text = "\n".join(f" {row}" for row in [*pieces[:2], "*", *pieces[rows + 1 :]])
    if rows > 1:
        (chunk,) = reading(text).chunks
        assert chunk.data == data
        assert "*" in chunk.remark
    with pytest.raises(CaptureError, match="od -v"):
        read(text.encode())


@pytest.mark.parametrize(
    ("text", "form", "data", "cut"),
    [
        ('<<0,1,"ord",16#ff,0x0f>>', "erlang", b"\0\1ord\xff\x0f", 0),
        ("<<0, 1, 0, 0, ...>>", "erlang", b"\0\1\0\0", None),
        ("<<>>.\n<<1>>", "erlang", b"", 0),
        ("%00%01orders%ff", "percent", b"\0\1orders\xff", 0),
        ("%00a+b%2B", "percent", b"\0a b+", 0),
        ("%00a+b%20", "percent", b"\0a+b ", 0),
        ("0000000  \\0 003   o      \\n 377\n0000006", "od-c", b"\0\3o \n\xff", 0),
        ("0000000  \\0   a\n0000004", "od-c", b"\0a  ", 0),
        ("  \\0 001   a", "od-c", b"\0\1a", 0),
        (" 0100 0000", "od-x", b"\0\1\0\0", None),
        ("1: 0001\n12: AAE=", "numbered", b"\0\1", 0),
        ("- 0001", "numbered", b"\0\1", 0),
    ],
)
def test_spellings(text: str, form: str, data: bytes, cut: int | None) -> None:
    chunk, *_ = read(text.encode(), format=form).chunks
    assert (chunk.data, chunk.cut) == (data, cut)


@pytest.mark.parametrize(
    ("text", "form", "says"),
    [
        ("00%00 ~|", "percent", "percent-encoding"),
        ("<<256>>", "erlang", "no binary"),
        ("2. 00\n1. 00", "numbered", "ascend"),
        ("0001", "numbered", "no number"),
        ("1. zz", "numbered", "'z'"),
    ],
)
def test_refusals(text: str, form: str, says: str) -> None:
    with pytest.raises(CaptureError, match=says):
        read(text.encode(), format=form)


@given(consumers, st.integers(0, 3))
def test_hex_cut_at_an_odd_digit_is_read_as_far_as_it_goes(data: bytes, more: int) -> None:
    digits = data.hex()[: len(data.hex()) - 1 - 2 * more]
    (chunk,) = reading(digits).chunks
    assert chunk.data.hex() == digits[:-1]
    assert chunk.cut is None
    assert repr(digits[-1]) in chunk.remark


def names_both(chunk: Chunk, data: bytes) -> bool:
    """Whether bytes that are fewer than the message explain as much of themselves, and the remark
    says how to read the message."""
    share = JUDGE.weigh(chunk.data) / len(chunk.data)
    name, _ = JUDGE.describe(data)
    return (
        data.startswith(chunk.data)
        and share >= JUDGE.weigh(data) / len(data)
        and f"it could also be --as {name}, " in chunk.remark
    )


@given(consumers)
@example(
    Assignment(
        assigned_partitions=[Assignment.TopicPartition(topic="", partitions=[0, 0])]
    ).to_bytes(0)
)
def test_a_debuggers_words_may_go_beyond_the_message(data: bytes) -> None:
    assume(len(data) <= 1 << 15)  # prompts and rows of more than 256 KiB are not read
    # More zeros may make another message of it, which is then the same text.
    assume(JUDGE.weigh(data) > max(JUDGE.weigh(data + bytes(zeros)) for zeros in range(1, 8)))
    for size, extra in ((2, b"\xca"), (4, b"\xca\xfe\0"), (8, b"\0\0\0\0\0\0\0")):
        whole = data + extra[: -len(data) % size]
        words = [whole[at : at + size][::-1].hex() for at in range(0, len(whole), size)]
        rows = [
            f"0x{0x4020 + size * at:x} <payload+{size * at}>:\t"
            + "\t".join(f"0x{word}" for word in words[at : at + 4])
            for at in range(0, len(words), 4)
        ]
        text = "\n".join(rows)
        for shown in (text, f"(gdb) x/{len(words)}xw payload\n{text}\n(gdb) quit\n"):
            (chunk,) = reading(shown).chunks
            assert chunk.data == data or names_both(chunk, data)


def test_offsets_that_go_on_are_one_message_between_prompts() -> None:
    """Its first 16 bytes are a message too, and so are the others."""
    data = bytes.fromhex("0000000000010000000000010000000000000006000000000000")
    rows = (
        "0x4020 <payload+0>:\t0x00000000\t0x00000100\t0x01000000\t0x00000000\n"
        "0x4030 <payload+16>:\t0x06000000\t0x00000000\t0xfeca0000"
    )
    assert found(f"(gdb) x/7xw payload\n{rows}\n(gdb) quit\n") == [data]


@pytest.mark.parametrize("wrap", ["{}", "payload={}", "{{'payload': {}}}", "INFO got {} from it"])
@settings(max_examples=settings().max_examples // 3)
@given(consumers)
def test_digits_that_python_has_as_bytes(wrap: str, data: bytes) -> None:
    for digits in (hexlify(data), b64encode(data)):
        assert found(wrap.format(repr(digits))) == [data]


@given(consumers)
def test_bytes_that_pprint_parts(data: bytes) -> None:
    assert found(pformat({"group": "billing", "payload": data})) == [data]


def test_carets_that_are_bytes() -> None:
    """The partition 94 is 00 00 00 5E, and the last one is in front of null user data."""
    data = bytes.fromhex("000000000001000174000000030000005d0000005e0000005effffffff")
    assert found("^@^@^@^@^@^A^@^At^@^@^@^C^@^@^@]^@^@^@^^@^@^@^" + "M-^?" * 4) == [data]


def test_a_character_that_gdb_has_not_completed() -> None:
    """gdb prints `<incomplete sequence>` for bytes that begin a character and end there."""
    text = r'$1 = "\000\000\000\000\000\001\000\001t\000\000\000\001", <incomplete sequence \357>'
    (chunk,) = reading(text).chunks
    assert chunk.data == bytes.fromhex("0000000000010001740000000 1ef".replace(" ", ""))
    assert chunk.cut is None


def test_control_characters_of_lldb() -> None:
    """lldb 14 prints 00 as \\0, in front of a digit too, and 01 in eight digits."""
    text = r"\0\U00000001\0\0\0\U00000001\0\U000000043old\xff\xff\xff\xff\0\0\0\0"
    data = b"\0\1\0\0\0\1\0\x043old\xff\xff\xff\xff\0\0\0\0"
    assert found(f'(unsigned char[20]) $0 = "{text}"') == [data]


@pytest.mark.parametrize(
    "literal",
    [
        r'"\x00\x01\x00\x00\x00\x01\x00\x05\e\#{a}\xFF\xFF\xFF\xFF"',  # Ruby
        r'$VAR1 = "\0\1\0\0\0\1\0\5\e#{a}\377\377\377\377";',  # Perl
        r"$'\000\001\000\000\000\001\000\005\E#{a}\377\377\377\377'",  # bash
    ],
)
def test_escapes_of_scripts(literal: str) -> None:
    assert found(literal) == [b"\0\1\0\0\0\1\0\x05\x1b#{a}\xff\xff\xff\xff"]


@given(consumers)
def test_control_characters_that_json_does_not_escape(data: bytes) -> None:
    """Browsers, Node and Go leave DEL as it is."""
    text = json.dumps(data.decode("latin-1"), ensure_ascii=False)
    assert found(text.replace(r"\u007f", "\x7f")) == [data]
    assert not is_binary(b'"\\u0000' + b"\x7f" * 90 + b'"')


def test_a_long_text_is_read_in_the_form_of_its_first_lines(rng: random.Random) -> None:
    data = b"\0\0" + rng.randbytes(700_000)  # one large input, that would not shrink
    digits = data.hex()
    rows = "\n".join(digits[at : at + 60] for at in range(0, len(digits), 60))
    assert len(rows) > 1 << 20
    assert found(rows) == [data]
    key = GroupMetadataKey(group="g" * 300).to_bytes()
    lines = f"{key.hex()}\n" * 2000
    assert found(lines) == [key] * 2000


def test_one_row_that_looks_like_a_dump_is_hex_where_nothing_decodes() -> None:
    """`0000000c 00` may be an offset and a byte; nobody prints a dump of one byte alone."""
    for text in ("0000000c 00", "0000000c 0000", "00000000 ffff"):
        assert found(text) == [bytes.fromhex(text)]


# -- what people paste around bytes, and what programs write in front of rows

DATA = bytes.fromhex("0001000000010006" + b"orders".hex() + "ffffffff00000000")
SHORT = bytes.fromhex("0000000000010004") + b"ords" + b"\xff" * 4
ROWS = (
    "00000000: 0001 0000 0001 0006 6f72 6465 7273 ffff  ........orders..",
    "00000010: ffff 0000 0000                           ......",
)
PASTED = {
    "glued fence": f"```{DATA.hex()[:24]}\n{DATA.hex()[24:]}```",
    "HTML": f"<pre>{ROWS[0]}\n{ROWS[1]}</pre>",
    "HTML with line breaks": f"{DATA.hex()[:24]}<br>\n{DATA.hex()[24:]}<br>",
    "Jira": "{code:java}\n" + "\n".join(ROWS) + "\n{code}",
    "diff of rows": "".join(f"+{row}\n" for row in ROWS),
    "diff of hex": f"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n+{DATA.hex()}",
    "removed": f"- {DATA.hex()[:24]}\n- {DATA.hex()[24:]}",
    "chat": "".join(f"[10:22:{n}1] <jane> {row}\n" for n, row in enumerate(ROWS)),
    "one row in a chat": "[10:22] <jane> 00000000: 0000 0000 0001 0004 6f72 6473 ffff ffff",
    "journal": "".join(f"Nov 01 10:22:3{n} host app[123]: {row}\n" for n, row in enumerate(ROWS)),
    "cat -n": "".join(f"{n:6}\t{row}\n" for n, row in enumerate(ROWS, start=1)),
    "cat -n of hex": f"     1\t{DATA.hex()[:24]}\n     2\t{DATA.hex()[24:]}",
    "blanks that are none": "\n".join(ROWS).replace("  ", "\u00a0 "),
    "characters of no width": f"{DATA.hex()[:24]}\u200b{DATA.hex()[24:]}",
    "dashes": "\u2013".join(f"{byte:02X}" for byte in DATA),
    "010 Editor": f"      0  1  2  3\n0000h: {DATA[:16].hex(' ')}  text\n"
    f"0010h: {DATA[16:].hex(' ')}",
    "Visual Studio": f"0x000001D2F3A00000  {DATA[:16].hex(' ')}  text\n"
    f"0x000001D2F3A00010  {DATA[16:].hex(' ')}  text",
    "WinDbg": f"000001d2`f3a00000  {DATA[:8].hex(' ')}-{DATA[8:16].hex(' ')}  text\n"
    f"000001d2`f3a00010  {DATA[16:].hex(' ')}",
    "OpenSSL": f"0000 - {DATA[:8].hex(' ')}-{DATA[8:16].hex(' ')}   text\n"
    f"0010 - {DATA[16:].hex(' ')}",
    "PHP": "Array\n(\n" + "".join(f"    [{n}] => {b}\n" for n, b in enumerate(DATA, 1)) + ")",
    ".NET": f"{{byte[{len(DATA)}]}}\n" + "".join(f"    [{n}]: {b}\n" for n, b in enumerate(DATA)),
}


@pytest.mark.parametrize("name", PASTED)
def test_what_is_around_bytes(name: str) -> None:
    reading = read(PASTED[name].encode(), judge=MessageJudge())
    (chunk,) = reading.chunks
    assert chunk.data == (SHORT if name == "one row in a chat" else DATA)


# What languages print of a message; where no program made them here, a comment says what does.
MESSAGE = bytes.fromhex("00030000000100066f7264657273ffffffff000000000000000a00026131")
ESCAPED = r"\x00\x03\x00\x00\x00\x01\x00\x06orders\xff\xff\xff\xff"
LANGUAGES = {
    "Lua's %q": r'"\0\3\0\0\0\1\0\6orders'
    "\udcff\udcff\udcff\udcff" + r"\0\0\0\0\0\0\0\{}\0\2a1".format("\n") + '"',
    # String.escaped and %S of OCaml: three decimal digits.
    "OCaml": r'"\000\003\000\000\000\001\000\006orders\255\255\255\255'
    r'\000\000\000\000\000\000\000\n\000\002a1"',
    # showLitString of GHC.Show: names of control characters, then decimal digits.
    "Haskell": r'"\NUL\ETX\NUL\NUL\NUL\SOH\NUL\ACKorders\255\255\255\255'
    r'\NUL\NUL\NUL\NUL\NUL\NUL\NUL\n\NUL\STXa1"',
    "PHP's var_export": "'' . \"\\0\" . '\x03' . \"\\0\" . '' . \"\\0\" . '' . \"\\0\" . '\x01' . "
    "\"\\0\" . '\x06orders\udcff\udcff\udcff\udcff"
    + "' . \"\\0\" . '" * 7 + "\n' . \"\\0\" . '\x02a1'",
    "PHP's var_dump": 'string(30) "' + MESSAGE.decode("utf-8", "surrogateescape") + '"\n',
    "PHP's serialize": 's:30:"' + MESSAGE.decode("utf-8", "surrogateescape") + '";',
    "Redis": "$30\r\n" + MESSAGE.decode("utf-8", "surrogateescape") + "\r\n",
    "PHP's array": "array(30) {\n"
    + "".join(f"  [{n}]=>\n  int({byte})\n" for n, byte in enumerate(MESSAGE))
    + "}",
    # print() of raw and integer vectors of R: the number of the first item of each row.
    "R's raw": f" [1] {MESSAGE[:20].hex(' ')}\n[21] {MESSAGE[20:].hex(' ')}",
    "R's integers": f" [1] {' '.join(f'{byte:3}' for byte in MESSAGE[:16])}\n"
    f"[17] {' '.join(f'{byte:3}' for byte in MESSAGE[16:])}",
    # show() of Julia's Vector{UInt8}.
    "Julia": "30-element Vector{UInt8}:\n" + "".join(f" 0x{byte:02x}\n" for byte in MESSAGE),
    # printfn "%A" of F#.
    "F#": f"[|{'; '.join(f'{byte}uy' for byte in MESSAGE)}|]",
    # What Kotlin and Scala have for bytes above 127 in source code.
    "Kotlin": "byteArrayOf("
    + ", ".join(f"0x{byte:02X}{'.toByte()' * (byte > 127)}" for byte in MESSAGE) + ")",
    "Kotlin's UByte": f"ubyteArrayOf({', '.join(f'0x{byte:02X}u' for byte in MESSAGE)})",
    "Scala's source": f"Array({', '.join(f'{byte}.toByte' for byte in MESSAGE)})",
    # description of NSData, up to macOS 10.14 and iOS 12.
    "NSData": f"<{' '.join(MESSAGE[at : at + 4].hex() for at in range(0, 30, 4))}>",
    # Debug of the crate bytes, in a log: \0 is one byte, whatever digit follows.
    "Rust's Bytes": "metadata: b\"" + ESCAPED.replace(r"\x00", r"\0")
    + r"\0\0\0\0\0\0\0\n\0\x02a1" + '", owned: 3',
    # {:x?} of Rust, in a log.
    "Rust's hex": f"metadata: [{', '.join(f'{byte:x}' for byte in MESSAGE)}], owned: 3",
    # Chunk[Byte] of ZIO and fs2, in a log.
    "Scala": f"metadata = Chunk({', '.join(map(str, MESSAGE[:14]))}, -1, -1, -1, -1, "
    f"{', '.join(map(str, MESSAGE[18:]))}) of m-1",
}  # fmt: skip


@pytest.mark.parametrize("name", LANGUAGES)
def test_what_languages_print(name: str) -> None:
    (chunk,) = read(LANGUAGES[name].encode("utf-8", "surrogateescape"), judge=JUDGE).chunks
    assert (chunk.data, chunk.cut) == (MESSAGE, 0)


CUT = {
    "protobuf": (f'<ByteString@5e2de80c size=120 contents="{ESCAPED}...">', 18, "TextFormat"),
    "okio": (f"[size=120 hex={(MESSAGE * 3)[:64].hex()}\u2026]", 64, "value.hex()"),
}


@pytest.mark.parametrize("name", CUT)
def test_what_libraries_cut(name: str) -> None:
    text, size, advice = CUT[name]
    (chunk,) = read(f"metadata: {text}".encode(), judge=JUDGE).chunks
    assert (len(chunk.data), chunk.cut is not None and chunk.cut > 0) == (size, name == "protobuf")
    assert advice in chunk.remark


def test_the_middle_of_nsdata_is_hidden() -> None:
    with pytest.raises(CaptureError, match="base64EncodedString"):
        read(
            b"metadata = {length = 30, bytes = 0x00030000 00010006 ... 00000a00 026131 }",
            judge=JUDGE,
        )


def test_numbers_of_lua_and_of_c_are_both_named() -> None:
    """The last one is 0D in Lua, and 0B in C: both decode."""
    text = r'"\0\0\0\0\0\0\0\0\0\4\200\100\100\13"'
    found = reading(text)
    assert {found.format, *found.candidates} >= {"python", "lua"}
    (chunk,) = read(f"joined, metadata={text}, done".encode(), judge=JUDGE).chunks
    assert "Lua" in chunk.remark


@pytest.mark.parametrize(
    "numbers", ["0, 0, 0, 0, 0, 0, -1, -1, -1, -1", "0, 0, 0, 0, 0, 0, 0, 0, 0, 0"]
)
def test_an_empty_message_in_a_log(numbers: str) -> None:
    (chunk,) = read(f"12:00 DEBUG assignment=[{numbers}])".encode(), judge=JUDGE).chunks
    assert len(chunk.data) == 10


@pytest.mark.parametrize("size", range(1, 24))
def test_a_debugger_s_single_bytes_are_of_the_message(size: int) -> None:
    data = DATA[:-size]
    rows = "".join(
        f"0x{0x4000 + at:x} <m>:" + "".join(f"\t0x{byte:02x}" for byte in data[at : at + 8]) + "\n"
        for at in range(0, len(data), 8)
    )
    if data:
        (chunk,) = read(rows.encode(), judge=MessageJudge()).chunks
        assert (chunk.data, chunk.remark) == (data, "")


def words(data: bytes, size: int) -> str:
    """What gdb's x prints of a message in words of a size, with zeros behind it."""
    filled = data.ljust(-(-len(data) // size) * size, b"\0")
    rows = [filled[at : at + 16] for at in range(0, len(filled), 16)]
    return "".join(
        f"0x{0x4000 + 16 * number:x} <m>:"
        + "".join(f"\t0x{row[at : at + size][::-1].hex()}" for at in range(0, len(row), size))
        + "\n"
        for number, row in enumerate(rows)
    )


def dump(data: bytes, size: int) -> str:
    """What od -tx8 and its like print of a message, without the last line, which is the length."""
    rows = words(data, size).replace("0x", "").splitlines()
    return "".join(
        f"{16 * number:07o}{row.partition(':')[2]}\n".replace("\t", " ")
        for number, row in enumerate(rows)
    )


EMPTY_USER_DATA = bytes.fromhex("000000000001000d6a646566322d68372d636b386500000000")
WITHOUT_PARTITIONS = EMPTY_USER_DATA + bytes(4)
BOTH = {EMPTY_USER_DATA: "Subscription", WITHOUT_PARTITIONS: "Assignment"}


@pytest.mark.parametrize("write", [words, dump])
@pytest.mark.parametrize("size", [4, 8])
@pytest.mark.parametrize("data", BOTH)
def test_zeros_of_the_last_word_may_be_of_a_message(
    write: Callable[[bytes, int], str], size: int, data: bytes
) -> None:
    (chunk,) = read(write(data, size).encode(), judge=MessageJudge()).chunks
    if chunk.data != data:
        assert f"it could also be --as ConsumerProtocol{BOTH[data]}" in chunk.remark
    assert chunk.cut == 0
    named = MessageJudge(message_class(f"ConsumerProtocol{BOTH[data]}"))
    (chunk,) = read(write(data, size).encode(), judge=named).chunks
    assert chunk.data == data


def test_an_array_of_which_items_are_left_out_is_one_message() -> None:
    """Node says how many: no part of it is a message of its own, even if it reads like one."""
    data = bytes.fromhex(
        "000300000002002967306f6579342d61695f3030646a3264787935657868382e796e31666b2e37693337687567"
        "38635f67000000140000000d0000000e0000000f00000010000000110000001200000013000000140000001500"
        "0000160000001700000018"
    )
    rows = [", ".join(f"{byte:3}" for byte in data[at : at + 12]) for at in range(0, 100, 12)]
    text = "Uint8Array(236) [\n  " + ",\n  ".join(rows) + ",\n  ... 136 more items\n]\n"
    (chunk,) = read(text.encode(), judge=JUDGE).chunks
    assert chunk.data.startswith(data[:96])
    assert chunk.cut is not None and chunk.cut > 0


def test_a_caret_in_a_string_does_not_make_it_what_cat_prints() -> None:
    data = bytes.fromhex("000300000000000000165e40") + bytes(20) + bytes.fromhex("00000000ffffffff")
    (chunk,) = read(f"12:00 DEBUG metadata={data!r} done\n".encode(), judge=JUDGE).chunks
    assert (chunk.data, chunk.format) == (data, "python")


def test_a_tuple_of_numbers_that_could_be_octal_is_decimal() -> None:
    numbers = (0, 2, 0, 0, 0, 0, 0, 0, 0, 4, 45, 252, 163, 142, 0, 0, 0, 0, 0, 0, 1, 11)
    (chunk,) = read(str(numbers).encode()).chunks
    assert chunk.data == bytes(numbers)
