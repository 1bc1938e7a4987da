"""The compiled rules beside an independent model, decision by decision over random games."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mages_env.games.magic_duel import data
from mages_env.games.magic_duel.state import PHASES

from .lockstep import EVENTS, play
from .slow_duel import Numbers


def test_the_model_has_the_same_numbers():
    assert Numbers() == Numbers.of(data)


def anything(choice):
    return 1.0


def fierce(choice):
    """Charges, shots and spells rather than walks; what is left goes to the attack."""
    if choice[0] == "act":
        return {"charge": 30.0, "shoot": 8.0, "cast": 3.0, "rally": 0.5}.get(choice[2], 1.0)
    if choice == ("pass",):
        return 0.1
    return 1.0 + choice[1] if choice[0] == "dice" else 1.0


def magical(choice):
    """Spells on and on, Healing where it can be, with all there is, and mostly countered."""
    if choice == ("spell", "Healing"):
        return 50.0
    if choice[0] == "act":
        return {"cast": 40.0, "gather power": 10.0, "rally": 5.0}.get(choice[2], 1.0)
    if choice == ("pass",):
        return 0.3
    return 1.0 + choice[-1] ** 2 if choice[0] in ("tokens", "counter") else 1.0


@pytest.mark.rule("ALL-01", "ALL-02", "ALL-03", "MGD-20", "MGD-31")
@pytest.mark.parametrize("count", [2, 3, 4])
def test_random_games(count):
    happened, asked = set(), set()

    def note(s, model):
        happened.update(event[1] for event in model.log)
        if not model.over:
            asked.add(PHASES[s.phase])

    for seed in range(3):
        reward = ("rank", "score")[seed % 2]
        for likes in (anything, fierce, magical):
            play(seed, likes, note=note, num_players=count, reward=reward)
    assert asked == set(PHASES)
    everything = {name for name, *_ in EVENTS.values()} | {"dice"}
    assert everything - happened <= {"out", "nexus"}


@pytest.mark.rule("MGD-31", "MGD-06")
@pytest.mark.parametrize("count", [2, 3, 4])
def test_random_duels_of_wizards(count):
    outcomes = set()
    for seed, counter_fatigue in ((5, 0), (6, 3), (7, 1)):
        options = {"num_players": count, "counter_fatigue": counter_fatigue}
        for likes in (fierce, magical):
            model = play(seed, likes, scenario="wizards", **options)
            outcomes |= {side.paid for side in model.sides}
    assert len(outcomes) > 1


@pytest.mark.rule("MGD-09", "MGD-17", "MGD-19", "MGD-20", "MGD-31")
def test_other_scenario_data_are_followed_by_everything():
    """Other units, spells, board, tokens and turns, in a process of their own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.games.magic_duel.changed_data"],
        cwd=Path(__file__).parents[3],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 4
