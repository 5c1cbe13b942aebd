"""kproto itself as a testee."""

from __future__ import annotations

from importlib.metadata import version

from ...codec.runtime.registry import built_in_names
from ..guarantees.own_subjects import GENERATED
from .serve import serve

if __name__ == "__main__":
    serve(GENERATED, "kproto", version("kproto"), built_in_names(), ("decode", "encode", "rewrite"))
