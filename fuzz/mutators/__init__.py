"""Mutations of bytes that follow the layout of what the bytes are, the same for every engine.

A form of input (messages, frames, definitions, plain bytes) lists the `Splice`s of an input: which
few bytes to put in place of which others, each with a name that a person can read. An engine picks
from them by number, so that one input and one number always give the same bytes: libFuzzer picks by
its seed (`mutator`), Hypothesis draws, and shrinks, the number.

    from kproto.fuzz.mutators import MESSAGES, spliced

    data = b"ConsumerProtocolAssignment\\n" + bytes.fromhex("0000 00000000 ffffffff")
    for splice in MESSAGES.splices(data):
        print(splice.description, spliced(data, splice).hex())
"""

from __future__ import annotations

from .forms import DEFINITIONS as DEFINITIONS
from .forms import FRAMES as FRAMES
from .forms import Blobs as Blobs
from .messages import MESSAGES as MESSAGES
from .messages import Messages as Messages
from .messages import ReadableMessages as ReadableMessages
from .splices import Form as Form
from .splices import Splice as Splice
from .splices import mutator as mutator
from .splices import spliced as spliced
