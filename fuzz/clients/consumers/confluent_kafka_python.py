"""confluent-kafka, driven: of this environment, or of the folder that is named first."""

from __future__ import annotations

import json
import sys
from queue import SimpleQueue
from threading import Thread
from typing import Any

sys.path[:0] = sys.argv[1:-1]

try:
    import confluent_kafka
except ImportError:
    sys.exit("confluent-kafka is not installed")

SETTINGS = json.loads(sys.argv[-1])
COOPERATIVE = SETTINGS["partition.assignment.strategy"] == "cooperative-sticky"


def say(**event: object) -> None:
    """Print a JSON object of these keys, on a line."""
    print(json.dumps(event), flush=True)  # noqa: T201


def on_assign(consumer: Any, partitions: list[Any]) -> None:
    """Assign the partitions here: the binding does not survive it if its own call fails."""
    try:
        (consumer.incremental_assign if COOPERATIVE else consumer.assign)(partitions)
        say(assigned=[(entry.topic, entry.partition) for entry in partitions])
    except confluent_kafka.KafkaException as error:
        say(refused=str(error))


def main() -> None:
    """Run a consumer, and the commands of standard input, until that ends."""
    consumer = confluent_kafka.Consumer(SETTINGS)
    say(client="librdkafka", release=confluent_kafka.libversion()[0])
    commands: SimpleQueue[str] = SimpleQueue()

    def hear() -> None:
        for line in sys.stdin:
            commands.put(line)
        commands.put("")

    Thread(target=hear, daemon=True).start()
    while True:
        if not commands.empty():
            line = commands.get()
            if not line:
                return
            do(consumer, json.loads(line))
        try:
            consumer.poll(0.001)  # the binding counts whole milliseconds: less would not wait
        except ValueError as error:  # UnicodeDecodeError
            say(refused=f"{type(error).__name__}: {error}")


def do(consumer: Any, command: dict[str, Any]) -> None:
    """Run one command and print how it ended."""
    try:
        if "subscribe" in command:
            consumer.subscribe(command["subscribe"], on_assign=on_assign)
        else:
            consumer.assign(command["assign"])
        say(done="")
    except confluent_kafka.KafkaException as error:
        say(done=str(error))


if __name__ == "__main__":
    main()
