"""kio as a testee."""

from __future__ import annotations

from ..oracles.kio import Kio
from .serve import serve

if __name__ == "__main__":
    oracle = Kio(bounded=False)
    serve(oracle, oracle.client, oracle.release, oracle.names, ("decode", "encode"))
