"""What every rule-based player that comes with the package promises."""

import numpy as np
import pytest

import mages_env
from mages_env.agents import make_agent
from mages_env.agents.rule_based import rule_based_policy
from tests.agents.positions import choices, masks, random_positions, redrawn

GAMES = [name for name in mages_env.games() if rule_based_policy(mages_env.get_game(name))]
TABLES = [
    (name, players)
    for name in GAMES
    for players in sorted(
        {*mages_env.get_game(name).players[:2], mages_env.get_game(name).max_players}
    )
]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_actions_are_legal_and_know_nothing_hidden(name, players):
    game = mages_env.get_game(name)
    agent = make_agent("rule_based", game)
    states = random_positions(game, 300, seed=players, choice=1, num_players=players)
    actions = choices(agent, states)
    assert masks(game, states)[np.arange(len(states)), actions].all()
    for seed in (1, 2, 3):
        assert (choices(agent, redrawn(game, states, seed)) == actions).all()
