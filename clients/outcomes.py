"""What becomes of bytes that a client reads, in the words of `kproto lint --readers`."""

from __future__ import annotations

READS = "reads it"
READS_OTHERWISE = "reads something else"
TAKES = "takes what Kafka refuses"
REFUSES = "refuses it"
FAILS = "does not survive it"
NOT_KNOWN = "not known"
"""It depends on more than the bytes, on memory or time; or nothing near enough was measured."""
UNKNOWN = "was not seen"
"""The measured client has no API for such bytes."""

TROUBLE = (READS_OTHERWISE, REFUSES, FAILS)
"""Outcomes that stop or harm a group whose leader, or the member that is meant, is the reader."""
