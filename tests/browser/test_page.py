"""The page itself: nothing leaves it, nothing runs in it, anybody can use it, it stays alive."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from kproto.clients.readers import predict
from kproto.codec import ConsumerProtocolSubscription, Policy, decode
from kproto.tools.main import main
from tests.browser.conftest import ROOT, SITE, Served, ask, do_without, type_text
from tests.browser.devtools import Browser

pytestmark = pytest.mark.browser

NPM = ROOT / "build" / "page" / "downloads" / "npm"
WEB = ROOT / "browser" / "web"
HEX = "00010000000100066f7264657273ffffffff"
VIEWS = {
    "read": f"kproto.takeText('{HEX}')",
    "lint": f"location.hash = '#view=lint&text={HEX}'",
    "diff": "location.hash = '#view=diff&example=versions'",
    "explain": "location.hash = '#view=explain&code=KP040'",
    "encode": "location.hash = '#view=encode'",
    "simulate": "location.hash = '#view=simulate'",
    "a log": "location.hash = '#view=read&example=poll-timeout'",
    "a capture": "location.hash = '#view=read&example=three-clients'",
    "a saved group": "location.hash = '#view=read&example=two-applications'",
    "nothing": "kproto.takeText('group.id=payments\\nmax.poll.interval.ms=300000')",
}

FRAMED = {VIEWS[name] for name in ("simulate", "a log", "a capture", "a saved group")}
"""Those that show a page of the command, in a frame."""
FRAMES = """
[...document.querySelectorAll('iframe')].map(({contentDocument: frame}) => {
  const rules = frame.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules]);
  const style = rules.map((rule) => rule.cssText).join('\\n');
  return `<!DOCTYPE html>${frame.documentElement.outerHTML}`.replace(
    '</head>', () => `<style>${style}</style></head>`);
})"""
"""The documents of the frames, as they are drawn."""


def text(page: Browser, selector: str) -> str:
    return str(page.run(f"document.querySelector({json.dumps(selector)}).innerText"))


# -- nothing leaves it


@pytest.mark.parametrize("script", VIEWS.values(), ids=VIEWS)
def test_it_asks_for_nothing_once_it_has_loaded(page: Browser, script: str) -> None:
    asked = len(Served.paths)
    ask(page, script)
    page.settle(0.3)
    requests = [event["request"]["url"] for event in page.reported("Network.requestWillBeSent")]
    assert not [url for url in requests if not url.startswith(("blob:", "data:", "about:"))]
    assert len(Served.paths) == asked


def test_the_policy_forbids_it(page: Browser, site: str) -> None:
    """A request to another origin, a script and a style of a text, an image, eval."""
    other = "http://127.0.0.1:9/"
    refused = page.run(f"fetch('{other}').then(() => false, () => true)")
    assert refused
    page.run(
        f"""const image = Object.assign(document.createElement('img'), {{src: '{other}'}});
        document.body.append(image); setTimeout(() => image.remove(), 200);
        const script = document.createElement('script'); script.textContent = 'window.ran = true';
        document.body.append(script); script.remove();
        window.evaluated = (() => {{ try {{ return (0, eval)('1') }}
        catch {{ return 'refused' }} }})()"""
    )
    page.settle(0.3)
    assert page.run("[window.ran ?? null, window.evaluated]") == [None, "refused"]
    sent = page.reported("Network.requestWillBeSent")
    blocked = {
        event["requestId"]
        for event in page.reported("Network.loadingFailed")
        if event.get("blockedReason") == "csp"
    }
    assert {event["requestId"] for event in sent} <= blocked
    policy = page.run("document.querySelector('meta[http-equiv]').content")
    assert "'unsafe-inline'" not in policy
    assert "'unsafe-eval'" not in policy
    assert "connect-src 'self';" in policy
    assert "default-src 'none';" in policy


def test_nothing_in_the_folder_names_a_host() -> None:
    """But for the notices of Pyodide itself, which is as it was published."""
    html = (SITE / "index.html").read_text(encoding="utf-8")
    hosts = {part.split('"')[0].split("'")[0] for part in html.split("://")[1:]}
    assert not [host for host in hosts if host.startswith(("http", "cdn", "www"))]


# -- nothing runs in it

HOSTILE = {
    "markup": '<img src=x onerror="window.ran=1"><script>window.ran=1</script>',
    "markup in a topic": (
        "000100000001001c" + b"<img src=x onerror='ran=1'>!".hex() + "ffffffff00000000"
    ),
    "escapes in a topic": "0000000000010009" + b"\x1b[31mhi\x07\x1b".hex() + "ffffffff",
    "bidi in a topic": "0000000000010007" + "a\u202eb\u202a".encode()[:7].hex() + "ffffffff",
    "a log line": "2026-11-26 00:08:14,970 INFO [Consumer clientId=<b>c</b>, "
    "groupId=<script>ran=1</script>] consumer poll timeout has expired.\nsecond\n",
}  # fmt: skip


@pytest.mark.parametrize("paste", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_paste_is_shown_and_not_obeyed(page: Browser, paste: str) -> None:
    page.run("delete window.ran")
    ask(page, f"kproto.takeText({json.dumps(paste)})")
    page.settle(0.2)
    assert page.run("window.ran ?? null") is None
    assert page.run("document.querySelectorAll('#output img, #output script').length") == 0
    shown = text(page, "#output")
    assert not {"\x1b", "\x07", "\u202e", "\u202a"} & set(shown)
    assert not page.reported("Runtime.exceptionThrown")


def test_escapes_are_visible(page: Browser) -> None:
    ask(page, f"kproto.takeText('{HOSTILE['escapes in a topic']}')")
    assert "␛[31mhi␇␛" in text(page, ".fields")
    ask(page, f"kproto.takeText('{HOSTILE['bidi in a topic']}')")
    assert "a\\u202eb\\u202a" in text(page, ".fields") or "\\u202e" in text(page, ".fields")


def test_a_paste_of_50_mb_leaves_the_page_alive(page: Browser) -> None:
    """It is read in the worker; the page goes on, and a stop takes effect at once."""
    page.run(
        "window.turns = 0; window.beat = setInterval(() => window.turns++, 20);"
        "kproto.takeText('no bytes in this line at all\\n'.repeat(50_000_000 / 29))"
    )
    page.settle(3)
    assert page.run("window.turns") > 20
    if not page.run("document.querySelector('#stop').hidden"):
        page.run("document.querySelector('#stop').click()")
    page.wait("document.querySelector('#stop').hidden", 20)
    page.run("clearInterval(window.beat)")
    ask(page, f"kproto.takeText('{HEX}')")
    assert "ConsumerProtocolSubscription" in text(page, "#output")


MEMBER = "2026-11-26 00:08:14,970 DEBUG metadata=00000000000100066f7264657273ffffffff\\n"


@pytest.mark.parametrize("view", ["read", "lint"])
def test_a_line_of_50_mb_is_refused_with_what_to_do(page: Browser, view: str) -> None:
    ask(page, f"location.hash = '#view={view}'; kproto.takeText('')")
    ask(page, f"kproto.takeText('a few words\\n' + '{HEX}'.repeat(50_000_000 / 36))", 10)
    [line] = page.run("[...document.querySelectorAll('#output li')].map((line) => line.innerText)")
    assert line.startswith("not read: a line of 49,999,968 characters.")
    assert "Paste the part that you want to read" in line
    assert page.run("kproto.runs().length") == 0


def test_first_messages_are_there_before_the_last(page: Browser) -> None:
    page.run(f"kproto.takeText('{MEMBER}'.repeat(400_000))")
    page.wait("document.querySelectorAll('#output section details').length === 100")
    early = text(page, "#output h2")
    assert early == "The first messages; more are being read"
    page.run("document.querySelector('#output details').open = true")
    page.wait("document.querySelector('#stop').hidden", 120)
    assert re.fullmatch(r"The first \d\d,\d{3} messages", text(page, "#output h2"))
    assert (
        page.run("document.querySelectorAll('#output section > div > div > details').length") == 100
    )
    assert page.run("document.querySelector('#output details').open")
    page.run("document.querySelector('#output section > div > .more').click()")
    assert (
        page.run("document.querySelectorAll('#output section > div > div > details').length") == 200
    )


def test_a_new_question_ends_a_long_one(page: Browser) -> None:
    page.run(f"kproto.takeText('{MEMBER}'.repeat(400_000))")
    page.wait("!document.querySelector('#stop').hidden", 60)
    ask(page, f"kproto.takeText('{HEX}')", 60)
    assert "KP040" in text(page, "#output")


# -- what it shows


def test_a_field_lights_its_bytes_and_a_byte_its_field(page: Browser) -> None:
    ask(page, f"kproto.takeText('{HEX}')")
    point = (
        "document.querySelector({}).dispatchEvent(new MouseEvent('mouseover', {{bubbles: true}}))"
    )
    lit = "[...document.querySelectorAll('.byte.lit')].map((byte) => byte.textContent).join('')"
    page.run(point.format("'tr[data-field$=\"-1\"]'"))
    assert page.run(lit) == "00066f7264657273"
    page.run(point.format("'.byte[data-byte$=\"-0\"]'"))
    assert page.run("document.querySelector('tr.lit .path').textContent") == "version"
    page.run("document.querySelector('tr[data-field$=\"-2\"]').focus()")
    assert page.run(lit) == "ffffffff"


def test_what_a_first_reader_pastes_has_its_answer(page: Browser) -> None:
    ask(page, f"kproto.takeText('{HEX}')")
    shown = text(page, "#output")
    message = decode(bytes.fromhex(HEX), ConsumerProtocolSubscription, policy=Policy.LENIENT)
    for part in (
        "refused",
        "KP040",
        "kafka-go Reader",
        "librdkafka leaves the member out",
        f"{len(predict(message))} clients",
    ):
        assert part in shown
    ask(page, VIEWS["a log"])
    body = "document.querySelector('iframe')?.contentDocument?.body?.innerText"
    page.wait(f"{body}?.includes('poll-timeout-exceeded')")
    ask(page, VIEWS["diff"])
    assert "owned_partitions" in text(page, "#output")
    ask(page, VIEWS["encode"])
    shown = text(page, "#output")
    for part in ("[]byte{", "new byte[] {", "b'", 'b"'):
        assert part in shown
    ask(page, VIEWS["simulate"])
    page.wait(
        "document.querySelector('iframe')?.contentDocument?.querySelector('#told')?.textContent"
    )


def test_a_frame_of_a_capture_has_its_fields_beside_its_bytes(page: Browser) -> None:
    ask(page, VIEWS["a capture"])
    page.run(
        "for (const line of document.querySelectorAll('#output details'))"
        " if (line.textContent.includes('JoinGroupRequest')) line.open = true"
    )
    opened = "document.querySelectorAll('details[open] .nested .hex .byte').length"
    page.wait(f"{opened} > 20")
    paths = page.run(
        "[...document.querySelectorAll('details[open] .path')].map((cell) => cell.textContent)"
    )
    assert {"correlation_id", "protocols[0].metadata", "generation_id"} <= set(paths)


def test_a_saved_group_is_shown_and_what_if_is_answered(page: Browser) -> None:
    ask(page, VIEWS["a saved group"])
    body = "document.querySelectorAll('iframe')[{}]?.contentDocument?.body?.innerText"
    page.wait(f"{body.format(0)}?.includes('two-applications')")
    page.run(
        "document.querySelector('input.change').value = 'join=1 leave=svc-2';"
        " document.querySelector('form:has(input.change)').requestSubmit()"
    )
    page.wait(f"{body.format(1)}?.includes('svc-3')")
    assert "leave=svc-2" in page.run(body.format(1))
    page.run("document.querySelector('input.change').value = 'lose=1'")
    page.run("document.querySelector('form:has(input.change)').requestSubmit()")
    page.wait("document.querySelector('#output').textContent.includes('lose=1')")


def test_files_may_be_dropped(page: Browser) -> None:
    script = f"""
        const data = new DataTransfer();
        data.items.add(new File(['{HEX}'], 'bytes.hex'));
        document.querySelector('main').dispatchEvent(
          new DragEvent('drop', {{dataTransfer: data, bubbles: true, cancelable: true}}))"""
    ask(page, f"{{{script}}}")
    assert "bytes.hex" in text(page, "#taken")
    assert "KP040" in text(page, "#output")


def test_what_is_printed_is_the_answer(page: Browser) -> None:
    ask(page, VIEWS["read"])
    page.call("Emulation.setEmulatedMedia", media="print")
    try:
        assert page.run("getComputedStyle(document.querySelector('.tabs')).display") == "none"
        assert page.run("document.querySelector('.hex').clientHeight") > 0
        scrolls = "[...document.querySelectorAll('.hex, .fields')].map((part) => part.scrollHeight"
        assert not any(page.run(f"{scrolls} - part.clientHeight)"))
    finally:
        page.call("Emulation.setEmulatedMedia", media="")


def test_a_wrong_use_says_what_the_command_says(page: Browser) -> None:
    ask(page, "kproto.takeText('zzzz')")
    shown = text(page, "#output")
    assert "no bytes were found in this text" in shown
    assert "What can be pasted or dropped here" in shown and "--describe --all-groups" in shown


def test_what_is_said_of_a_paste_is_an_option_of_the_command(page: Browser) -> None:
    ask(page, "kproto.takeText('0 1 0 0')")
    ask(page, "{ const form = document.querySelector('#format'); form.value = 'raw';"
        " form.dispatchEvent(new Event('input')) }")  # fmt: skip
    lines = page.run("kproto.runs().map(({words}) => words.join(' '))")
    assert all("--format raw" in line for line in lines)
    assert "7 bytes" in text(page, "#output")
    page.run("document.querySelector('#format').value = ''")


def test_a_phone_moves_to_the_answer_of_a_paste(page: Browser) -> None:
    page.call(
        "Emulation.setDeviceMetricsOverride",
        width=360,
        height=640,
        deviceScaleFactor=1,
        mobile=True,
    )
    page.run("scrollTo(0, 0)")
    type_text(page, HEX)
    assert page.run("scrollY") == 0  # somebody is typing
    ask(page, f"kproto.takeText('{HEX}00')")
    assert page.run("scrollY") > 200


def test_typing_is_answered_within_a_blink(page: Browser) -> None:
    """The median of some keystrokes, once everything is imported."""
    ask(page, f"kproto.takeText('{HEX}')")
    times = []
    for digit in "0123456789":
        type_text(page, f"{HEX}0{digit}")
        times.append(int("".join(filter(str.isdigit, text(page, "#status")))))
    assert sorted(times)[len(times) // 2] < 100


# -- the address


def test_a_link_has_no_data_unless_it_is_asked_for(page: Browser) -> None:
    ask(page, "location.hash = '#view=lint&example=kafka-go'")
    assert page.run("document.querySelector('#paste').value") == HEX
    type_text(page, f"{HEX}00")
    assert HEX not in page.run("location.href")
    keep = "async (value) => { window.copied = value }"
    page.run(f"navigator.clipboard.writeText = {keep}")
    page.run("document.querySelector('#link button').click()")
    link = page.run("window.copied")
    assert link.endswith(f"#view=lint&text={HEX}00")
    ask(page, f"location.hash = {json.dumps(link.partition('#')[2])}")
    assert page.run("document.querySelector('#paste').value") == f"{HEX}00"


def test_a_link_names_a_scenario_or_two_messages(page: Browser) -> None:
    link = "view=simulate&scenario=rolling-bounce&members=4&assignor=range"
    ask(page, f"location.hash = '#{link}'")
    [words] = page.run("kproto.runs().map(({words}) => words.join(' '))")
    assert words == "simulate ./rolling-bounce.toml --members 4 --assignor range"
    ask(page, f"location.hash = '#view=diff&text={HEX}&other={HEX}00'")
    assert "18 bytes" in text(page, "#output") and "19 bytes" in text(page, "#output")
    ask(page, "location.hash = '#view=simulate&scenario=kip-429'")
    assert page.run("document.querySelector('#simulate-members').value") == ""


# -- anybody can use it

SCREENS = {
    "wide and light": (1280, 900, "light"),
    "wide and dark": (1280, 900, "dark"),
    "narrow and light": (360, 740, "light"),
    "narrow and dark": (360, 740, "dark"),
}


@pytest.mark.parametrize("screen", SCREENS.values(), ids=SCREENS)
@pytest.mark.parametrize("script", VIEWS.values(), ids=VIEWS)
def test_axe_finds_nothing(
    page: Browser, as_file: Browser, screen: tuple[int, int, str], script: str, tmp_path: Path
) -> None:
    """In the page, and in the frames of the answer, whose documents are opened by themselves: in
    the frame no script runs."""
    width, height, scheme = screen
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    page.call("Emulation.setEmulatedMedia", **media)
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 400}
    page.call("Emulation.setDeviceMetricsOverride", **size)
    ask(page, script)
    page.settle(0.3)  # the frames take their styles
    axe = (NPM / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    look = (
        "axe.run(document, {iframes: false}).then(({violations}) =>"
        " violations.map(({id, nodes}) => [id, nodes[0].html, nodes[0].failureSummary]))"
    )
    page.run(axe)
    assert page.run(look) == []
    assert page.run("document.documentElement.scrollWidth") <= width
    frames = page.run(FRAMES)
    assert bool(frames) == (script in FRAMED)
    if not frames:
        return
    size["mobile"] = False  # the page has taken the `meta` of the viewport out of them
    for call, parameters in (("setEmulatedMedia", media), ("setDeviceMetricsOverride", size)):
        as_file.call(f"Emulation.{call}", **parameters)
    for number, html in enumerate(frames):
        path = tmp_path / f"{number}.html"
        path.write_text(html, encoding="utf-8")
        as_file.open(f"file://{path}")
        as_file.wait(f"location.pathname == '{path}' && document.readyState == 'complete'")
        as_file.run(axe)
        assert as_file.run(look) == []
        assert as_file.run("document.documentElement.scrollWidth <= innerWidth")


def test_the_tabs_obey_the_arrows(page: Browser) -> None:
    page.run("document.querySelector('#tab-read').focus()")
    for name in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        for kind in ("keyDown", "keyUp"):
            page.call("Input.dispatchKeyEvent", type=kind, key=name, code=name)
    assert page.run("document.activeElement.id") == "tab-lint"
    assert page.run("document.body.dataset.view") == "lint"


# -- the page that is one file


def test_it_works_as_a_file(as_file: Browser) -> None:
    """Opened from a folder by its `index.html`, which leads to the page with everything inside."""
    as_file.open(f"file://{SITE}/index.html#view=read&example=kafka-go")
    as_file.wait(
        "document.documentElement?.dataset.answered && document.querySelector('#stop').hidden", 180
    )
    assert str(as_file.run("location.pathname")).endswith("kproto.html")
    assert "KP040" in text(as_file, "#output .fields")
    requests = [event["request"]["url"] for event in as_file.reported("Network.requestWillBeSent")]
    assert not [
        url for url in requests if not url.startswith(("file:", "blob:", "data:", "about:"))
    ]


# -- pages that the command writes


def test_a_choice_hides_the_other_parts(as_file: Browser, tmp_path: Path) -> None:
    path = tmp_path / "group.html"
    saved = ROOT / "tests" / "vectors" / "reports" / "mixed.save"
    assert main(["group", "--from", str(saved), "mixed", "--html", str(path)]) == 0
    as_file.call("Emulation.clearDeviceMetricsOverride")
    as_file.open(f"file://{path}")
    as_file.wait(f"location.pathname == '{path}' && document.readyState == 'complete'")
    shown = "document.querySelector('.wide').innerText"
    assert "svc-1" in as_file.run(shown) and "svc-2" in as_file.run(shown)
    as_file.run("document.querySelector('#show-member').value = 'svc-1'")
    assert "\nsvc-1" in as_file.run(shown) and "\nsvc-2" not in as_file.run(shown)


# -- its scripts


@pytest.mark.parametrize(
    ("files", "libraries"),
    [
        (("page.js", "globals.d.ts"), "es2023,dom,dom.iterable,dom.asynciterable"),
        (("worker.js",), "es2023,webworker"),
    ],
    ids=["page", "worker"],
)
def test_types_of_the_scripts(files: tuple[str, ...], libraries: str) -> None:
    node = shutil.which("node")
    if node is None or not NPM.exists():
        do_without("there is no node here, or the page is not built")
    options = "--noEmit --checkJs --allowJs --strict --target es2023 --module es2022 "
    options += "--moduleResolution bundler"
    command: list[Any] = [
        node,
        NPM / "typescript" / "bin" / "tsc",
        *options.split(),
        "--lib",
        libraries,
    ]
    done = subprocess.run(
        [*command, *(WEB / name for name in files)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")
