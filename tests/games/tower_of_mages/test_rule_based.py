"""Positions in which the rule-based player has one sensible thing to do."""

import numpy as np

import mages_env
from mages_env.agents import make_agent
from mages_env.games.tower_of_mages import GAME
from tests.agents.positions import choices, wins

from .scene import page, scene

AGENT = make_agent("rule_based", GAME)
TOWER = ("Light 3 0", "Fire 3 2", "Light 4 4", "Fire 4 6")


def means(*pages, **kwargs):
    """The same, of what is asked and not how it is worded."""
    state = scene(*pages, **kwargs)
    (action,) = choices(AGENT, np.array([state], GAME.dtype))
    block, place = GAME.actions.locate(int(action))
    return block, place


class TestPlays:
    def test_a_tower_cap_comes_while_the_market_is_high(self):
        # Four elements worth 2 each; the other die leads to an Observatory.
        made = page(*TOWER, mark="Distorter", dice="1 2", filled="4 4 0 0 0 0", eyes=2)
        assert means(made) == ("room", (0,))
        made = page(*TOWER, filled="4 4 0 0 0 0", eyes=2, dice="2", hourglasses=3)
        assert means(made, asked="place", building="Tower Cap") == ("cell", (8, 5))

    def test_a_library_before_it_is_too_late(self):
        six = ("Light 3 0", "Fire 6 0", "Air 9 0", "Water 3 2", "Earth 7 2", "Dark 8 4")
        made = page(*six, mark="Light", dice="1", filled="2 2 2 2 2 2", eyes=6, hourglasses=14)
        assert means(made)[0] == "library"

    def test_an_explosion_takes_what_is_worth_least(self):
        made = page("Light 3 0", "Fire 6 0", "Dark 9 0", filled="4 8 3 3 3 2", eyes=7)
        assert means(made, asked="explode") == ("explode", (1,))

    def test_a_distorter_rerolls_what_spoils_the_market(self):
        # The last Market Phase: of three Lights at 2 each would lose a point.
        lights = ("Light 3 0", "Light 6 0", "Light 9 0", "Distorter 3 2")
        made = page(*lights, filled="4 0 0 0 0 0", eyes=7, ended="time", dice="1 2 3")
        assert means(made, asked="market") == ("reroll", (0,))
        made = page(*lights, filled="3 0 0 0 0 0", eyes=7, ended="time", dice="1 2 3")
        assert means(made, asked="market") == ("keep", (0,))

    def test_it_does_not_reach_the_top_early(self):
        # A tower of 14 rows and another of none.
        high = ("Light 3 0", "Laboratory 3 2", "Light 3 4", "Laboratory 3 6", "Light 3 8")
        high = (*high, "Laboratory 3 10", "Stairwell 3 12")
        made = page(*high, mark="Light", hourglasses=5)
        _, (row, _) = means(made, asked="place", building="Distorter")
        assert row == 0

    def test_the_group_that_finishes_a_library(self):
        five = ("Light 3 0", "Fire 6 0", "Air 9 0", "Water 3 2", "Earth 7 2")
        made = page(*five, mark="Light", filled="2 2 2 2 2 2", eyes=2, hourglasses=5)
        other = page("Light 3 0", mark="Predictor", filled="2 2 2 2 2 2", eyes=2, hourglasses=5)
        # Group 1 has the five that leads to a Dark.
        asked = {"asked": "group", "seat": 0, "roller": 1, "common": "5 6 6 6 6 6"}
        assert means(made, other, split=0, **asked) == ("group", (0,))


def test_the_mean_score_alone():
    env = mages_env.make_vec(GAME, 500, seed=1, autoreset="disabled").reset()
    table = GAME.table(policy=AGENT.policy)
    actions = np.zeros(500, np.int64)
    while (running := env.seat >= 0).any():
        env.step(env.act(table, running, actions))
    assert env.final_states["score"][:, 0].mean() > 43


def test_beats_random_of_two():
    assert wins(GAME, [AGENT, make_agent("random", GAME)], 10)[0] > 0.95
