"""Read outputs of tools that describe groups: kafka-consumer-groups and its kin, rpk, kaf, kcat.

    views     the tables, one description for each tool and view
    table     a header and its rows
    sentences command lines, times, and what tools say of a group in a sentence
    sheets    what rpk and kaf print line by line
    reader    the outputs in a text

A text is whatever was pasted: several outputs behind `$ command` lines, between Markdown fences,
with Windows line ends, with leading blanks, with tabs in place of blanks, with lines cut at the
right. What was not understood is counted and kept.
"""

from __future__ import annotations

from .reader import (
    Output,
    OutputRow,
    ToolOutputs,
    UnreadLine,
    has_tool_output,
    member_events,
    read_tool_outputs,
    text_of,
)

__all__ = [
    "Output",
    "OutputRow",
    "ToolOutputs",
    "UnreadLine",
    "has_tool_output",
    "member_events",
    "read_tool_outputs",
    "text_of",
]
