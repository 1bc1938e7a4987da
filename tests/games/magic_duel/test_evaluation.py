"""The estimate of the outcome agrees with how games between rule-based players end."""

import numpy as np
import pytest

import mages_env
from mages_env.agents import make_agent
from mages_env.games.magic_duel import GAME

from .scene import scene


def estimate(state):
    out = np.zeros(GAME.max_players, np.float32)
    GAME.evaluate(state, out)
    return out


def games(num_players, **options):
    """Positions out of the games of rule-based players, and what was paid in the end."""
    env = mages_env.make_vec(
        GAME, 800, num_players=num_players, seed=3, autoreset="disabled", **options
    ).reset()
    table = GAME.table(policy=make_agent("rule_based", GAME).policy)
    actions = np.zeros(800, np.int64)
    kept = env.states.copy()
    rng = np.random.default_rng(3)
    while (running := env.seat >= 0).any():
        keep = running & (rng.random(800) < 0.02)
        kept[keep] = env.states[keep]
        env.step(env.act(table, running, actions))
    return kept, env


@pytest.mark.parametrize(
    ("num_players", "options"),
    [(2, {}), (3, {}), (4, {}), (2, {"scenario": "wizards"}), (2, {"reward": "score"})],
)
def test_calibrated(num_players, options):
    kept, env = games(num_players, **options)
    expected = np.array([estimate(state)[:num_players] for state in kept]).ravel()
    paid = env.returns.ravel()
    slope, _ = np.polyfit(expected, paid, 1)
    assert 0.7 < slope < 1.4  # 1: neither too sure nor too timid
    assert np.corrcoef(expected, paid)[0, 1] > 0.5
    for state, returns in zip(env.final_states[:50], env.returns, strict=False):
        assert (estimate(state)[:num_players] == returns).all()


ALL = "w1 c1, w2 g1, ar e1, wa d2, gu f2"
THEIRS = "w1 g9, w2 c9, ar e9, wa f8, gu d8"


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ((ALL, THEIRS), ("w1 c1, w2 g1, ar e1, wa d2", THEIRS)),
        ((ALL, THEIRS), ("w1 c1 hp1, w2 g1, ar e1, wa d2, gu f2", THEIRS)),
        ((ALL, THEIRS), ("w1 c1, w2 g1, ar e1, wa d2, gu f2 f5", THEIRS)),
        ((ALL, THEIRS), ("w1 c1, w2 g1, ar e1, wa d2, gu f2 broken", THEIRS)),
        (("w1 c1 p4, w2 g1, ar e1, wa d2, gu f2", THEIRS), (ALL, THEIRS)),
        (("w1 c1, w2 g1, ar e1, wa e4, gu f2", THEIRS), (ALL, THEIRS)),  # at the Nexus
    ],
)
def test_what_is_good_for_a_side(better, worse):
    good, bad = estimate(scene(*better)), estimate(scene(*worse))
    assert good[0] > bad[0]
    assert good[1] < bad[1]
    assert good[0] == -good[1]


def test_a_lead_counts_for_more_the_less_time_is_left():
    leads = [estimate(scene(ALL, THEIRS, turn=turn, points=[3, 0]))[0] for turn in range(1, 7)]
    assert leads == sorted(leads)
    assert leads[-1] > 0.6
