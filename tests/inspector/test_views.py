"""What people see, as text at fixed widths, compared with the files in `golden`.

`KPROTO_WRITE_GOLDEN=1` writes them anew; then look at every one.
"""

from __future__ import annotations

import io
import os
import re
from itertools import combinations
from math import cbrt, dist
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.color import Color, ColorSystem
from rich.color_triplet import ColorTriplet
from rich.console import Console
from rich.style import Style

from kproto.codec import ConsumerProtocolSubscription, Policy, message_class
from kproto.inspector import Inspection, SchemaList, SchemaTables, examine
from kproto.inspector.views import theme
from kproto.inspector.views.export import contrast

from .samples import CAPTURES, CLIENTS

GOLDEN = Path(__file__).parent / "golden"
TP = ConsumerProtocolSubscription.TopicPartition
NASTY = ConsumerProtocolSubscription(
    topics=["\x1b[2J\x1b[31mred", "\u202egnp.stredro", "or\u200bders", "[bold]b[/bold]", "日本語"],
    user_data=b"",
    owned_partitions=[TP(topic='a "b" \\', partitions=[5, -1, 5])],
    rack_id="",
).to_bytes(3)
LONG = ConsumerProtocolSubscription(
    topics=[f"events.payments.region-{number:03}" for number in range(300)],
    user_data=b"\x00\x01\xfe\xff" * 100,
    owned_partitions=[TP(topic="events.payments.region-000", partitions=range(100))],
    generation_id=12,
    rack_id="eu-west-1a",
).to_bytes(3)

SUBSCRIPTION = {
    "java-sticky": CAPTURES["java-sticky"],
    "kafkajs": CAPTURES["kafkajs"],
    "cut": CAPTURES["java-sticky"][:118],
    "future": b"\x00\x07" + CAPTURES["java-sticky"][2:] + b"\x00\x00\x00\x05extra",
    "franz-go": bytes.fromhex(CLIENTS["franz-go"]),
    "no-version": b"\xff\xff\x00\x00",
    "empty": b"",
    "nasty": NASTY,
    "long": LONG,
}


def terminal(width: int, *, colour: bool = False, encoding: str = "utf-8") -> Console:
    return Console(
        file=io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True),
        width=width,
        force_terminal=colour,
        color_system="256" if colour else None,
        legacy_windows=False,
        markup=False,
        emoji=False,
        highlight=False,
        _environ={},
    )


def rendered(view: object, width: int, encoding: str = "utf-8") -> str:
    console = terminal(width, encoding=encoding)
    with console.capture() as capture:
        console.print(view)
    return capture.get()


def inspection(name: str, *, with_hex: bool = True, full: bool = False) -> Inspection:
    examined = examine(SUBSCRIPTION[name], ConsumerProtocolSubscription)
    return Inspection(examined, with_hex=with_hex, full=full)


def compare(name: str, text: str) -> None:
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("KPROTO_WRITE_GOLDEN") == "1":
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SUBSCRIPTION)
def test_on_a_terminal(name: str) -> None:
    compare(f"{name}-120", rendered(inspection(name), 120))


@pytest.mark.parametrize("width", [40, 80, 100, 140, 200])
@pytest.mark.parametrize("name", ["java-sticky", "cut"])
def test_at_every_width(name: str, width: int) -> None:
    compare(f"{name}-{width}", rendered(inspection(name), width))


@pytest.mark.parametrize("name", ["java-sticky", "kafkajs", "nasty", "long"])
def test_elsewhere(name: str) -> None:
    compare(f"{name}-tree", rendered(inspection(name, with_hex=False), 100))


def test_where_only_ascii_can_be_written() -> None:
    text = rendered(inspection("nasty"), 120, "ascii")
    assert text.isascii()
    compare("nasty-ascii", text)


def test_schemas() -> None:
    compare("schema", rendered(SchemaTables(message_class("ConsumerProtocolSubscription")), 100))
    flexible = rendered(SchemaTables(message_class("SyncGroupResponse")), 100)
    assert "versions 4, 5, flexible" in flexible or "version 4, flexible" in flexible
    two = [message_class("OffsetCommitKey"), message_class("ConsumerProtocolAssignment")]
    compare("schemas", rendered(SchemaList(two), 100))


@pytest.mark.parametrize("width", [*range(20, 60, 7), 79, 99, 100, 101, 131, 250])
@pytest.mark.parametrize("name", SUBSCRIPTION)
def test_no_line_is_wider_than_the_terminal(name: str, width: int) -> None:
    for line in rendered(inspection(name), max(width, 40)).splitlines():
        assert cell_len(line) <= max(width, 40)


@pytest.mark.parametrize("width", [32, 40, 60, 80])
def test_nothing_is_lost_for_want_of_room(width: int) -> None:
    """Hex stands above the tree here, so that a value's lines follow each other."""
    text = rendered(inspection("cut"), width)
    packed = "".join(text.replace("│", "").split())
    partitions = ",".join(map(str, range(12)))
    assert f"[{partitions}]" in packed
    assert "95bytes:StickyAssignorUserDatav1" in packed
    assert "owned_partitionstruncated:int32of4bytes,2left" in packed


@given(st.binary(max_size=120), st.sampled_from(Policy), st.sampled_from([30, 80, 120]))
def test_any_bytes_can_be_shown(data: bytes, policy: Policy, width: int) -> None:
    text = rendered(Inspection(examine(data, policy=policy)), width)
    assert all(line.isprintable() for line in text.splitlines())


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60))
def test_no_name_acts_on_a_terminal(name: str) -> None:
    data = ConsumerProtocolSubscription(topics=[name, name], rack_id=name).to_bytes(3)
    view = Inspection(examine(data, ConsumerProtocolSubscription))
    assert all(line.isprintable() for line in rendered(view, 120).split("\n"))


def styles(name: str) -> dict[str, set[Style | None]]:
    """Every word of a view, with the styles it has."""
    console = terminal(140, colour=True)
    found: dict[str, set[Style | None]] = {}
    for segment in console.render(inspection(name)):
        for word in segment.text.split():
            found.setdefault(word, set()).add(segment.style)
    return found


def test_a_field_has_one_colour_in_hex_and_tree() -> None:
    seen = styles("java-sticky")
    (rack,) = seen["rack_id"]
    assert rack in seen["6b"]  # the k of rack-a, which stands nowhere else
    assert rack is not None
    assert rack.color in {style.color for style in theme.FIELDS}


def test_lengths_are_dimmer() -> None:
    (length,) = styles("java-sticky")["5f"]  # of the user data, 95
    assert length is not None
    assert length.dim


def test_failing_bytes_are_marked_with_and_without_colour() -> None:
    seen = styles("cut")
    missing, explained = theme.FAILED_BYTES, theme.QUIET
    assert seen["--"] == {missing, explained}
    assert missing.reverse
    assert missing.color == Color.from_ansi(theme.FAILED_COLOUR)
    assert "[00 00 --]" in rendered(inspection("cut"), 120)


@pytest.mark.parametrize(
    ("name", "signs"),
    [
        ("java-sticky", []),
        ("no-version", ["[00] refused"]),
        ("cut", ["[00] refused", "-- missing"]),
        ("long", ["⋮ left out (--full)"]),
    ],
)
def test_signs_that_are_no_words_are_explained_where_they_occur(
    name: str, signs: list[str]
) -> None:
    lines = rendered(inspection(name), 120).splitlines()
    explained = [line for line in lines if any(sign in line for sign in (*ALL_SIGNS, *signs))]
    assert explained == (["   ".join(signs)] if signs else [])
    tree = rendered(inspection(name, with_hex=False), 120)
    assert not any(sign in tree for sign in ALL_SIGNS)
    assert "left out" not in rendered(inspection(name, full=True), 120)


ALL_SIGNS = ("[00] refused", "-- missing", "xx hidden", "⋮ left out (--full)")


@pytest.mark.parametrize(("width", "wide"), [(60, False), (72, True), (100, True), (128, True)])
def test_hex_has_16_bytes_in_a_row_where_they_fit(width: int, wide: bool) -> None:
    text = rendered(inspection("java-sticky"), width)
    assert bool(re.search("00 03( [0-9a-f]{2}){6} ( [0-9a-f]{2}){8} ", text)) == wide


@pytest.mark.parametrize(("width", "beside"), [(99, False), (120, False), (129, True), (160, True)])
def test_the_tree_is_beside_the_hex_where_it_has_56_columns(width: int, beside: bool) -> None:
    first = re.compile("^ +0 +00 03( [0-9a-f]{2}){6} .* 0:2 +version", re.MULTILINE)
    assert bool(first.search(rendered(inspection("java-sticky"), width))) == beside


def test_a_narrow_tree_is_beside_the_hex_in_fewer_columns() -> None:
    first = re.compile(
        "^ *0 +00 00( [0-9a-f]{2}){6} ( [0-9a-f]{2}){7} .* 0:2 +version", re.MULTILINE
    )
    assert first.search(rendered(small(), 110))


def small() -> Inspection:
    data = bytes.fromhex("0000 00000001 0003616263 ffffffff")
    return Inspection(examine(data, ConsumerProtocolSubscription))


def test_colours_can_be_read_on_light_and_dark() -> None:
    """Contrast as WCAG 2 measures it; 3 is what it asks of large text and of graphics."""
    for number in (*theme.FIELD_COLOURS, theme.FAILED_COLOUR, theme.QUIET_COLOUR):
        light = luminance(number)
        assert (light + 0.05) / 0.05 >= 3.5, number
        assert 1.05 / (light + 0.05) >= 3.5, number


# The 16 colours as xterm has them by default (XTerm-col.ad), and the backgrounds of Solarized.
XTERM_16 = """
    000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5
    7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff
""".split()
BACKGROUNDS = {"ffffff": 3.0, "000000": 3.0, "fdf6e3": 2.9, "002b36": 2.9}


def test_the_16_colours_can_be_read_on_light_and_dark() -> None:
    for number in theme.ON_16:
        for background, least in BACKGROUNDS.items():
            assert contrast(f"#{XTERM_16[number]}", f"#{background}") >= least, (number, background)


def on_16(style: Style) -> tuple[int | None, bool | None, bool | None]:
    """What tells styles apart on a terminal with 16 colours: colour, underline and bold."""
    colour = style.color and style.color.downgrade(ColorSystem.STANDARD)
    return colour.number if colour else None, style.underline, style.bold


def test_on_16_colours_no_field_looks_like_another_or_like_what_failed() -> None:
    for styles in (theme.FIELDS, theme.FIELDS_ON_16):
        looks = {style.color and style.color.number for style in styles}
        signal = {theme.FAILED_COLOUR, theme.WARN_COLOUR, theme.QUIET_COLOUR}
        assert not looks & signal
    assert len({on_16(style) for style in theme.FIELDS_ON_16}) == len(theme.FIELDS_ON_16) > 7
    signals = {on_16(style)[0] for style in (theme.FAILED, theme.WARN)}
    assert len(signals) == 2
    assert not signals & {on_16(style)[0] for style in theme.FIELDS_ON_16}
    shown = {on_16(style)[0] for style in (*theme.FIELDS_ON_16, theme.FAILED, theme.WARN)}
    assert shown - {None} <= set(theme.ON_16)
    assert on_16(theme.QUIET)[0] is None  # every grey is the background of some theme


def test_the_colours_of_fields_differ_enough() -> None:
    """A distance of 0.1 in Oklab is about that of #0087d7 and #008787."""
    colours = [Color.from_ansi(number).get_truecolor() for number in theme.FIELD_COLOURS]
    points = [oklab(colour) for colour in colours]
    assert len(points) >= 12  # the fields of a subscription with user data
    assert min(dist(a, b) for a, b in combinations(points, 2)) >= 0.1
    warn, failed = (
        oklab(Color.from_ansi(number).get_truecolor())
        for number in (theme.WARN_COLOUR, theme.FAILED_COLOUR)
    )
    assert min(dist(point, signal) for point in points for signal in (warn, failed)) >= 0.1
    turns = zip(points, [*points[1:], points[0]], strict=True)
    assert min(dist(a, b) for a, b in turns) >= 0.2  # of neighbours


def oklab(colour: ColorTriplet) -> tuple[float, float, float]:
    """The colour in Oklab (Björn Ottosson, "A perceptual color space for image processing")."""
    red, green, blue = (linear(part) for part in colour.normalized)
    long = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    middle = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def linear(part: float) -> float:
    return part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4


def luminance(number: int) -> float:
    triplet = Color.from_ansi(number).get_truecolor()
    parts = map(linear, triplet.normalized)
    return sum(part * weight for part, weight in zip(parts, (0.2126, 0.7152, 0.0722), strict=True))


def test_what_is_too_long_is_not_taken_apart() -> None:
    data = bytes.fromhex("0000 00000001 0001 61") + (2 << 20).to_bytes(4, "big") + bytes(2 << 20)
    text = rendered(Inspection(examine(data, ConsumerProtocolSubscription)), 100)
    assert len(text) < 1000
    assert "2,097,165 bytes" in text
    assert "--json" in text
