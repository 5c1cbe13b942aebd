"""JUnit documents can be parsed, whatever text stands in them."""

from __future__ import annotations

from xml.etree import ElementTree as Xml

from kproto.inspector.shapes.junit import add_case, add_outcome, junit_document

PLANES = range(0, 0x110000, 0x10000)
HOSTILE = "".join(map(chr, range(0x120))) + "".join(
    chr(plane + offset) for plane in PLANES for offset in (0xD800, 0xDFFF, 0xFFFE, 0xFFFF)
)


def test_any_text_makes_a_document_that_can_be_parsed() -> None:
    suite = Xml.Element("testsuite", name="x")
    passed = add_case(suite, "a", "b", seconds=1.26, output=HOSTILE)
    failed = add_case(suite, "a", "c")
    add_outcome(failed, "failure", HOSTILE, HOSTILE, "Error")
    read = Xml.fromstring(junit_document(suite))  # noqa: S314  # our own
    cases = read.findall("testcase")
    assert [case.get("name") for case in cases] == ["b", "c"]
    assert cases[0].get("time") == "1.3" and cases[0].find("failure") is None
    failure = cases[1].find("failure")
    assert failure is not None and failure.get("type") == "Error"
    kept = "".join(char for char in HOSTILE if char.isprintable())
    for text in (failure.get("message"), failure.text, cases[0].findtext("system-out")):
        assert text is not None and [char for char in text if char in kept] == list(kept)
    assert passed.find("system-out") is not None
