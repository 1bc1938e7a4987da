"""The estimate of the outcome agrees with how games between rule-based players end."""

import numpy as np
import pytest

import mages_env
from mages_env.agents import make_agent
from mages_env.games.kampf_der_magier import GAME

from .scene import scene


def estimates(states):
    found = np.zeros((len(states), GAME.max_players), np.float32)
    for state, out in zip(states, found, strict=True):
        GAME.evaluate(state, out)
    return found


@pytest.mark.parametrize(
    ("num_players", "options"),
    [(2, {}), (3, {}), (6, {}), (3, {"variant": "open_pile"}), (3, {"reward": "score"})],
)
def test_calibrated(num_players, options):
    env = mages_env.make_vec(
        GAME, 1500, num_players=num_players, seed=3, autoreset="disabled", **options
    ).reset()
    table = GAME.table(policy=make_agent("rule_based", GAME).policy)
    actions = np.zeros(1500, np.int64)
    kept = env.states.copy()
    rng = np.random.default_rng(3)
    while (running := env.seat >= 0).any():
        keep = running & (rng.random(1500) < 0.02)
        kept[keep] = env.states[keep]
        env.step(env.act(table, running, actions))
    expected = estimates(kept)[:, :num_players].ravel()
    paid = env.returns.ravel()
    slope, _ = np.polyfit(expected, paid, 1)
    assert 0.8 < slope < 1.25  # 1: neither too sure nor too timid
    assert np.corrcoef(expected, paid)[0, 1] > 0.6


def test_low_cards_are_a_burden_and_sets_of_high_ones_a_relief():
    table = {"table": "5 5", "power": 10, "piles": {1: "3"}}
    poor = estimates([scene(["1 1 2 2 3 4", "6 7 8 9 10 11", "5 6 7 8 9 10"], **table)])[0]
    rich = estimates([scene(["ball ball joker 13 13 12", "6 7 8 9 10 11", "5 6 7 8 9 10"])])[0]
    assert rich[0] > 0.3 > -0.3 > poor[0]
