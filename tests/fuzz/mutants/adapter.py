"""A mutant behind the line protocol: `python -m tests.fuzz.mutants.adapter NUMBER`."""

from __future__ import annotations

import sys

from kproto.fuzz.line_protocol import serve

from .codec import ASSIGNMENT, SUBSCRIPTION
from .faults import FAULTS
from .flexible import HEARTBEAT, FlexibleCodec

if __name__ == "__main__":
    fault = FAULTS[int(sys.argv[1])]
    names = [HEARTBEAT] if issubclass(fault.make, FlexibleCodec) else [SUBSCRIPTION, ASSIGNMENT]
    serve(fault.subject(), "mutant", "", names, ["decode", "encode", "rewrite"])
