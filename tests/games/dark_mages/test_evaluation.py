"""The estimate of the outcome agrees with how games between rule-based players end."""

import numpy as np
import pytest

import mages_env
from mages_env.agents import make_agent
from mages_env.games.dark_mages import GAME

from .scene import scene, seat

GAMES = 600


def estimates(states):
    found = np.zeros((len(states), GAME.max_players), np.float32)
    for state, out in zip(states, found, strict=True):
        GAME.evaluate(state, out)
    return found


@pytest.mark.parametrize(
    ("options", "least"),
    [({}, 0.3), ({"num_players": 4}, 0.7), ({"num_players": 4, "teams": 2}, 0.5)],
)
def test_calibrated(options, least):
    """One position of each game, any of them with equal chances."""
    env = mages_env.make_vec(GAME, GAMES, seed=3, autoreset="disabled", **options).reset()
    table = GAME.table(policy=make_agent("rule_based", GAME).policy)
    actions = np.zeros(GAMES, np.int64)
    kept = env.states.copy()
    rng = np.random.default_rng(3)
    seen = 0
    while (running := env.seat >= 0).any():
        seen += 1
        keep = running & (rng.random(GAMES) < 1 / seen)
        kept[keep] = env.states[keep]
        env.step(env.act(table, running, actions))
    expected = estimates(kept)[:, : env.num_players].ravel()
    paid = env.returns.ravel()
    slope, _ = np.polyfit(expected, paid, 1)
    assert 0.75 < slope < 1.3  # 1: neither too sure nor too timid
    assert np.corrcoef(expected, paid)[0, 1] > least
    assert estimates(env.final_states)[:, : env.num_players] == pytest.approx(env.returns)


def test_what_makes_a_position_better():
    def first(**made):
        return estimates([scene([seat(**made), seat()])])[0, 0]

    level = estimates([scene([seat(), seat()])])[0]
    assert level[:2] == pytest.approx([0, 0])
    assert first(hp=50) < 0 and first(pool=12) > 0
    assert first(items="Ring of Arcane +2") > first(items="Ring of Arcane +1") > 0
    assert first(companion="Troll defender 15") > first(companion="Troll defender 5") > 0
    assert first(companion="Troll attacker 15") > 0


def test_who_has_fallen_has_its_place():
    # Three seats: seat 2 fell first, the others are as good as level.
    left = estimates([scene([seat(), seat(), seat(fell=1)])])[0]
    assert left[:3] == pytest.approx([0.5, 0.5, -1])


def test_a_team_stands_by_its_living_members():
    # Seats 0 and 2 against 1 and 3, of whom 3 has fallen: it is paid with its team.
    found = estimates([scene([seat(), seat(), seat(), seat(fell=1)], teams=2)])[0]
    assert found[0] == found[2] > 0.5
    assert found[1] == found[3] == -found[0]
