"""kafka-python as a testee."""

from __future__ import annotations

from ..oracles.kafka_python import KafkaPython
from .serve import serve

if __name__ == "__main__":
    oracle = KafkaPython()
    serve(oracle, oracle.client, oracle.release, oracle.names, ("decode", "encode"))
