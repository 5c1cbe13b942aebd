"""JUnit XML, which CI systems show: suites, test cases and their outcomes."""

from __future__ import annotations

import re
from typing import Literal
from xml.etree import ElementTree as Xml

__all__ = ["add_case", "add_outcome", "junit_document", "xml_text"]

# What XML 1.0 cannot hold, not even escaped.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: str) -> str:
    """Return the text with U+FFFD for each character that XML 1.0 cannot hold."""
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def add_case(
    suite: Xml.Element,
    class_name: str,
    name: str,
    *,
    seconds: float | None = None,
    output: str | None = None,
) -> Xml.Element:
    """Add a test case to a suite, and return it. It has passed unless it gets an outcome."""
    names = {"classname": xml_text(class_name), "name": xml_text(name)}
    case = Xml.SubElement(suite, "testcase", names)
    if seconds is not None:
        case.set("time", f"{seconds:.1f}")
    if output is not None:
        Xml.SubElement(case, "system-out").text = xml_text(output)
    return case


def add_outcome(
    case: Xml.Element,
    outcome: Literal["failure", "error", "skipped"],
    message: str,
    details: str,
    error_type: str | None = None,
) -> None:
    """Mark a test case as failed, in error or skipped: `message` is one line, `details` what
    follows it."""
    element = Xml.SubElement(case, outcome)
    if error_type is not None:
        element.set("type", error_type)
    element.set("message", xml_text(message))
    element.text = xml_text(details)


def junit_document(root: Xml.Element) -> str:
    """Return the document whose root is `testsuite` or `testsuites`."""
    return Xml.tostring(root, encoding="unicode", xml_declaration=True)
