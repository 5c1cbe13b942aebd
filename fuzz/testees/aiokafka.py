"""aiokafka as a testee."""

from __future__ import annotations

from ..oracles.aiokafka import Aiokafka
from .serve import serve

if __name__ == "__main__":
    oracle = Aiokafka()
    serve(oracle, oracle.client, oracle.release, oracle.names, ("decode", "encode"))
