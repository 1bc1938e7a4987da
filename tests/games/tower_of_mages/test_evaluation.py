"""The estimate of the outcome agrees with how games between rule-based players end."""

import numpy as np
import pytest

import mages_env
from mages_env.agents import make_agent
from mages_env.games.tower_of_mages import GAME
from mages_env.games.tower_of_mages.evaluation import FINAL

from .scene import page, scene

GAMES = 600


def estimates(states):
    found = np.zeros((len(states), GAME.max_players), np.float32)
    for state, out in zip(states, found, strict=True):
        GAME.evaluate(state, out)
    return found


def points(*pages, **options):
    return 50 * estimates([scene(*pages, **options)])[0, 0]


@pytest.mark.parametrize("options", [{}, {"num_players": 2}, {"num_players": 2, "reward": "score"}])
def test_calibrated(options):
    env = mages_env.make_vec(GAME, GAMES, seed=3, autoreset="disabled", **options).reset()
    table = GAME.table(policy=make_agent("rule_based", GAME).policy)
    actions = np.zeros(GAMES, np.int64)
    kept = env.states.copy()
    rng = np.random.default_rng(3)
    while (running := env.seat >= 0).any():
        keep = running & (rng.random(GAMES) < 0.02)
        kept[keep] = env.states[keep]
        env.step(env.act(table, running, actions))
    expected = estimates(kept)[:, : env.num_players].ravel()
    paid = env.returns.ravel()
    slope, _ = np.polyfit(expected, paid, 1)
    assert 0.7 < slope < 1.3  # 1: neither too sure nor too timid
    assert np.corrcoef(expected, paid)[0, 1] > 0.4
    if "num_players" not in options:
        assert expected.mean() == pytest.approx(paid.mean(), abs=0.06)


@pytest.mark.parametrize(("filled", "eyes"), [(0, 0), (3, 0), (2, 5), (6, 1), (8, 3)])
def test_the_final_market_is_what_its_dice_bring_on_average(filled, eyes):
    dice = 3 * (7 - eyes)
    thrown = np.random.default_rng(1).binomial(dice, 1 / 6, 200_000)
    values = np.array([-2, -1, 0, 1, 2, 1, 0, -1, -2])
    assert FINAL[dice, filled] == pytest.approx(
        values[np.minimum(filled + thrown, 8)].mean(), abs=0.01
    )


def test_a_page_that_has_ended_is_worth_what_the_market_will_bring():
    # A Light and 10 points, one Market Phase to come: 0, 1, 2 or 3 of its dice fill the column.
    ended = page("Light 3 0", bonus=10, filled="3 0 0 0 0 0", eyes=6, ended="top", dice="4 5 6")
    chances = [125 / 216, 75 / 216, 15 / 216, 1 / 216]
    value = sum(c * v for c, v in zip(chances, [1, 2, 1, 0], strict=True))
    assert points(ended, asked="market") == pytest.approx(10 + value, abs=1e-3)


def test_what_makes_a_page_better():
    bare = points(page("Light 3 0", dice="1 2 3"))
    assert points(page("Light 3 0", dice="1 2 3", bonus=10)) == pytest.approx(bare + 10)
    assert points(page("Light 3 0", dice="1 2 3", filled="4 0 0 0 0 0", eyes=7)) > bare
    assert points(page("Light 3 0", "Stairwell 6 0", dice="1 2 3")) > bare
    assert points(page("Light 3 0", "Distorter 6 0", dice="1 2 3")) > bare
    assert points(page("Light 3 0", dice="1 2 3", hourglasses=12)) < bare


def test_odds_of_two_pages():
    level = estimates([scene(page(dice="1 2 3"), page(dice="4 5 6"))])[0]
    assert level == pytest.approx([0, 0], abs=0.03)
    ahead = estimates([scene(page(dice="1 2 3", bonus=20), page(dice="4 5 6"))])[0]
    assert 0.6 < ahead[0] < 1 and ahead.sum() == pytest.approx(0)
