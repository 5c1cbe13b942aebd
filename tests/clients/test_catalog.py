"""The clients: who they are, and what they can do."""

from __future__ import annotations

from pathlib import Path

import pytest

from kproto.clients.catalog import (
    COOPERATIVE_STICKY,
    AbilityName,
    abilities,
    ability_of,
    clients,
    release_order,
    walks,
    writers,
    writers_of,
)
from kproto.clients.readers import measured_readers, reader_names

from .newer_releases import SOURCES

ROOT = Path(__file__).parents[2]


def test_every_client_is_there_once_with_its_oldest_releases_first() -> None:
    assert len({writer.label for writer in writers()}) == len(writers())
    for client in clients().values():
        since = [release_order(part.since) for part in client.writers]
        assert since == sorted(since) and client.writers
        assert set(client.readers) <= set(reader_names())


@pytest.mark.parametrize(
    ("name", "release", "labels"),
    [
        ("kafka-clients", "2.8.0", ["kafka-clients 2.4 to 2.8.0"]),
        ("kafka-clients", "4.3.1", ["kafka-clients 3.4 and newer"]),
        ("confluent-kafka", "2.0.2", ["librdkafka 1.6 to 2.1"]),
        ("kafka-go", "0.4.51", ["kafka-go Reader", "kafka-go Client"]),
        ("kafka-python", "0.1", ["kafka-python before 3.0"]),
    ],
)
def test_how_a_release_writes(name: str, release: str, labels: list[str]) -> None:
    assert [writer.label for writer in writers_of(name, release)] == labels


def test_a_client_that_nobody_knows() -> None:
    with pytest.raises(KeyError):
        writers_of("pigeon", "1.0")
    assert ability_of("pigeon", "cooperative") is None


# KIP-429, and the releases in which the clients' own change logs have it.
@pytest.mark.parametrize(
    ("name", "since"),
    [
        ("kafka-clients", "2.4"),
        ("librdkafka", "1.6"),
        ("sarama", "1.60.1"),
        ("kafka-python", "3.0"),
        ("aiokafka", ""),
        ("kafkajs", ""),
    ],
)
def test_who_rebalances_cooperatively(name: str, since: str) -> None:
    ability = ability_of(name, "cooperative")
    assert ability is not None and ability.since == since and ability.evidence
    assert bool(ability.since) != bool(ability.absent_in)


def test_who_has_the_broker_s_protocol() -> None:
    java, sarama = (ability_of(name, "consumer-protocol") for name in ("kafka-clients", "sarama"))
    assert java is not None and (java.since, java.absent_in) == ("4.0", "")
    assert sarama is not None and (sarama.since, sarama.absent_in) == ("", "1.61.1")
    assert ability_of("kafka-streams", "consumer-protocol") is None
    assert ability_of("kafka-go Reader", "share-groups") is None  # not looked at yet


def test_every_cell_says_how_it_is_known() -> None:
    for (client, _), cell in abilities().items():
        assert client in clients() or client in (
            "brod",
            "ruby-kafka",
        )  # whose bytes were not measured
        assert cell.evidence and bool(cell.since) != bool(cell.absent_in)
        assert cell.since or not cell.tried or cell.refusal


def test_every_test_that_is_named_is_there() -> None:
    for cell in abilities().values():
        for test in cell.shown_by:
            path, _, name = test.partition("::")
            assert f"def {name.partition('[')[0]}(" in (ROOT / path).read_text()


def test_the_table_agrees_with_what_clients_were_seen_to_write() -> None:
    """Who has a habit of writing under cooperative-sticky has it."""
    for client in clients().values():
        cell = ability_of(client.name, "cooperative")
        assignors = {
            name for part in client.writers for habit in part.habits for name in habit.assignors
        }
        if cell is not None:
            assert bool(cell.since) == (COOPERATIVE_STICKY in assignors)


def test_who_can_take_which_route() -> None:
    """A plan that was carried out takes a route that its clients' abilities allow."""
    needs: dict[str, AbilityName] = {
        "two-rounds": "both-at-once",
        "all-at-once": "cooperative",
        "one-by-one": "consumer-protocol",
        "from-empty": "consumer-protocol",
        "streams": "streams-groups",
    }
    for walk in walks():
        cells = [ability_of(name, needs[walk.route]) for name in walk.clients]
        assert all(cell is not None and cell.since for cell in cells), walk


def test_newer_releases_are_looked_for_by_readers_that_were_measured() -> None:
    assert SOURCES.keys() <= {reader.name for reader in measured_readers().readers}
    assert release_order("1.22.10") > release_order("1.22.9")
