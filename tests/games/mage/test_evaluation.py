"""The estimate of the outcome agrees with how games between rule-based players end."""

import numpy as np
import pytest

import mages_env
from mages_env.agents import make_agent
from mages_env.games.mage import GAME

from .scene import scene

GAMES = 800


def estimates(states):
    found = np.zeros((len(states), GAME.max_players), np.float32)
    for state, out in zip(states, found, strict=True):
        GAME.evaluate(state, out)
    return found


@pytest.mark.parametrize("num_players", [2, 3, 6])
def test_calibrated(num_players):
    env = mages_env.make_vec(
        GAME, GAMES, num_players=num_players, seed=3, autoreset="disabled"
    ).reset()
    table = GAME.table(policy=make_agent("rule_based", GAME).policy)
    actions = np.zeros(GAMES, np.int64)
    kept = env.states.copy()
    rng = np.random.default_rng(3)
    while (running := env.seat >= 0).any():
        keep = running & (rng.random(GAMES) < 0.02)
        kept[keep] = env.states[keep]
        env.step(env.act(table, running, actions))
    expected = estimates(kept)[:, :num_players].ravel()
    paid = env.returns.ravel()
    slope, _ = np.polyfit(expected, paid, 1)
    assert 0.8 < slope < 1.25  # 1: neither too sure nor too timid
    assert np.corrcoef(expected, paid)[0, 1] > 0.6


def test_life_and_royals_count():
    level = estimates([scene(["AH", "AC"])])[0]
    ahead = estimates([scene(["AH", "AC"], courts=["KH", ""], life=[30, 20])])[0]
    assert level[:2] == pytest.approx([0, 0])
    assert ahead[0] > 0.3 and ahead[:2].sum() == pytest.approx(0)


def test_who_has_left_has_its_place():
    # Three seats: seat 2 is third, the others are as good as level.
    left = estimates([scene(["AH", "AC", ""], out=(2,))])[0]
    assert left[:3] == pytest.approx([0.5, 0.5, -1])
