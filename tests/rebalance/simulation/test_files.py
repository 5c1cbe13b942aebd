"""Scenario files: what is wrong in one is refused, with its line and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from kproto.rebalance.assignors.sticky import CooperativeStickyAssignor
from kproto.rebalance.simulation import (
    Overrides,
    ScenarioError,
    load_assignor,
    read_scenario,
    run,
)
from kproto.rebalance.simulation.run_log import RunTooLongError

GOOD = """\
summary = "Two members."
duration = 20

[topics]
orders = 4

[defaults]
assignor = ["range", "sticky"]
session_timeout = 10

[[members]]
name = "a"

[[members]]
start = 2

[[events]]
at = 12
do = "bounce"
member = "b"
takes = 1
with = { version = 1 }
"""


def test_a_good_one() -> None:
    scenario = read_scenario(GOOD, "good")
    assert [plan.settings.client_id for plan in scenario.members] == ["a", "b"]
    assert scenario.members[0].settings.session_timeout_ms == 10_000
    (bounce,) = scenario.operations
    assert bounce.plans["b"].settings.version == 1
    assert run(scenario).as_expected


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("[topics]", "[topics", 4, "Expected ']'"),
        ("orders = 4", "orders = -1", 5, "needs a number of partitions"),
        ("orders = 4", "orders = 2000000", 5, "more than 10,000"),
        ("orders = 4", '"a b" = 4', 5, "not a topic name"),
        ("duration = 20", "duration = 0", 2, "a number from 1 to 86400"),
        ("duration = 20", 'duration = "long"', 2, "expected a number"),
        ('summary = "Two members."', 'sumary = "x"', 1, "there is no key 'sumary'"),
        ('"range", "sticky"', '"range", "stick"', 8, "there is no assignor 'stick'"),
        ('"range", "sticky"', '"range", "range"', 8, "two assignors have the name 'range'"),
        ('"range", "sticky"', '"os:abort"', 8, "code, which a scenario does not run"),
        ('["range", "sticky"]', "[]", 8, "at least one assignor"),
        ("session_timeout = 10", "session_timeout = 2", 9, "less than session_timeout"),
        ('name = "a"', 'name = "b c"', 12, "letters and digits"),
        ("start = 2", 'name = "a"', 15, "two members 'a'"),
        ("start = 2", "count = 0", 15, "a whole number from 1"),
        ('do = "bounce"', 'do = "bonce"', 19, "there is no 'bonce'; there are: start, stop"),
        ('do = "bounce"', 'do = "crash"', 21, "'crash' takes no 'takes'"),
        ("takes = 1\n", "", 17, "'bounce' needs takes"),
        ('member = "b"', 'member = "z"', 20, "no member 'z'; there are: a, b"),
        ("at = 12", "at = 30", 18, "the run ends after 20 seconds"),
        ("version = 1", "version = 4", 22, "from 0 to 3"),
        ("version = 1", "versoin = 1", 22, "there is no key 'versoin'"),
        ("start = 2", "heartbeat_interval = 10", 15, "less than session_timeout"),
        ("start = 2", "count = 1000", 14, "more than 1,000 members"),
        ("takes = 1", "takes = " + "9" * 5000, 21, "too many digits"),
        ("takes = 1", "takes = " + "[" * 5000, 21, "nested too deeply"),
        ("version = 1", 'mistakes = "keeps-stale-claims"', 17, "can never act: only a cooperative"),
        ("start = 2", 'assignor = "range"\nversion = 1\nmistakes = "hides-generation"', 17,
         "can never act: version 1 has no generation, and no user data of range has one"),
        ("[topics]", '[expect]\nfinds = "disjont"\n[topics]', 5, "no 'disjont'; there are: disj"),
        ("Two members.", "Two\\u001b[2Jmembers.", 1, "printable characters"),
        ("Two members.", "Two \\u202emembers.", 1, "printable characters"),
    ],
)  # fmt: skip
def test_what_is_wrong_has_a_line(old: str, new: str, line: int, why: str) -> None:
    assert old in GOOD
    with pytest.raises(ScenarioError) as refused:
        read_scenario(GOOD.replace(old, new, 1), "x", "x.toml")
    assert why in str(refused.value)
    assert refused.value.line == line
    assert str(refused.value).startswith(f"x.toml, line {line}: ")


def test_what_all_members_subscribe_to_is_bounded() -> None:
    topics = "".join(f"t{number} = 1\n" for number in range(400))
    text = f"duration = 1\n[topics]\n{topics}" + "[[members]]\nstart = 1\n" * 300
    with pytest.raises(ScenarioError, match="subscribe to more than 100,000 topics, in all"):
        read_scenario(text, "x", "x.toml")


@pytest.mark.parametrize("text", ["", "topics = 3", "[topics]\nt = 1", "[[topics]]", "\0", "x = 1"])
def test_what_is_no_scenario(text: str) -> None:
    with pytest.raises(ScenarioError):
        read_scenario(text, "x")


COOPERATIVE = GOOD.replace('["range", "sticky"]', '"cooperative-sticky"')


def test_a_mistake_acts_visibly_or_is_said_to_be_idle() -> None:
    """`hides-generation` shows in the first join after an assignment; `keeps-stale-claims` only in
    a member that falls out while it joins, which none does here."""
    both = 'version = 1\nmistakes = ["hides-generation", "keeps-stale-claims"]\n[[members]]'
    done = run(read_scenario(COOPERATIVE.replace("[[members]]", both, 1), "x"))
    hides = "mistake: does not say in which generation it owned"
    assert hides in {event.what for event in done.record.events if event.who == "a"}
    assert ("a", "keeps its claims after falling out while it joins") in done.idle_mistakes
    assert "a" not in {name for name, what in done.idle_mistakes if what in hides}


def test_a_file_runs_no_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module of the current folder neither, in variants and events neither; what the caller has
    loaded may be named."""
    (tmp_path / "lurking.py").write_text("open('ran', 'w').close()\nclass Own: pass\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    word = "lurking:Own"
    for text in (
        GOOD.replace('["range", "sticky"]', f'"{word}"'),
        GOOD.replace("start = 2", f'assignor = ["{word}"]'),
        GOOD.replace("version = 1", f'assignor = "{word}"'),
        f'{GOOD}\n[variants]\nx = {{ assignor = "{word}" }}\n',
    ):
        with pytest.raises(ScenarioError, match="name it on the command line"):
            read_scenario(text, "x", "x.toml")
    with pytest.raises(ScenarioError, match="name it on the command line"):
        read_scenario(GOOD, "x", overrides=Overrides(options={"assignor": word}))
    assert not (tmp_path / "ran").exists()
    mine = f"{OwnAssignor.__module__}:{OwnAssignor.__name__}"
    load_assignor(mine)
    scenario = read_scenario(GOOD.replace('["range", "sticky"]', f'"{mine}"'), "x")
    assert scenario.members[0].settings.assignors[0].name == "own"


class OwnAssignor(CooperativeStickyAssignor):
    name = "own"


@pytest.mark.parametrize("line", ["{}=1", "[{}]", "[[{}]]", "x = {{{} = 1}}", "[members]\n{} = 1"])
@pytest.mark.parametrize("dot", [".", " . "])
def test_a_dotted_key_of_many_parts_is_refused(line: str, dot: str) -> None:
    with pytest.raises(ScenarioError, match="a dotted key has more than 32 parts"):
        read_scenario(line.format(dot.join("a" * 16_000)), "x")


def test_dots_in_texts_are_no_keys() -> None:
    dots = ".".join("a" * 99)
    for quote in ('"', "'", 3 * '"', 3 * "'"):
        text = f"{quote}{dots}{quote} # {dots}"
        assert read_scenario(GOOD.replace('"Two members."', text), "x").summary == dots


@pytest.mark.parametrize("bound", ["MOST_CALLS", "MOST_LOOKS"])
def test_a_run_that_asks_for_too_much_is_refused(
    bound: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"kproto.rebalance.simulation.run_log.{bound}", 100)
    with pytest.raises(RunTooLongError, match="shorten its duration"):
        run(read_scenario(GOOD, "x"))


def test_what_is_laid_over_has_no_line() -> None:
    with pytest.raises(ScenarioError) as refused:
        read_scenario(GOOD, "x", overrides=Overrides(assignor="nobody's"))
    assert refused.value.line is None
