"""The random and the rule-based player."""

import numpy as np
import pytest

import mages_env
from mages_env.agents import make_agent
from mages_env.agents.base import Decisions
from mages_env.agents.compiled import CompiledAgent
from mages_env.engine import TERMINATED, compiled, signatures
from tests.agents.positions import choices, masks, random_positions, redrawn, wins
from tests.games.kampf_der_magier.scene import scene

KAMPF = mages_env.get_game("kampf_der_magier_v0")
EVERY_OPTION = [
    {"num_players": 2},
    {"num_players": 3},
    {"num_players": 6, "deck": "even"},
    {"num_players": 4, "variant": "open_pile"},
    {"num_players": 2, "variant": "open_pile", "rounds": 1, "reward": "score"},
]


def plays(agent, state):
    """What the agent does in one position, in words."""
    (action,) = choices(agent, np.array([state], KAMPF.dtype))
    return KAMPF.action_text(state, int(action))


@pytest.mark.parametrize("name", ["random", "rule_based"])
@pytest.mark.parametrize("options", EVERY_OPTION)
def test_actions_are_legal(name, options):
    agent = make_agent(name, KAMPF)
    states = random_positions(KAMPF, 300, choice=1, **options)
    actions = choices(agent, states)
    assert actions.dtype == np.int64
    assert masks(KAMPF, states)[np.arange(len(states)), actions].all()


@pytest.mark.parametrize("name", ["random", "rule_based"])
@pytest.mark.parametrize("options", EVERY_OPTION)
def test_actions_do_not_change_when_hidden_things_do(name, options):
    agent = make_agent(name, KAMPF)
    states = random_positions(KAMPF, 300, **options)
    expected = choices(agent, states)
    for seed in (1, 2, 3):
        assert (choices(agent, redrawn(KAMPF, states, seed)) == expected).all()


@pytest.mark.parametrize("name", ["random", "rule_based"])
def test_a_decision_does_not_depend_on_its_neighbours(name):
    agent = make_agent(name, KAMPF)
    states = random_positions(KAMPF, 20)
    together = choices(agent, states)
    seeds = np.random.default_rng(0).integers(2**64, size=20, dtype=np.uint64)
    for i in range(20):
        one = states[i : i + 1]
        decision = Decisions(KAMPF, one["seat"], masks(KAMPF, one), seeds[i : i + 1], states=one)
        assert agent.act(decision)[0] == together[i]
        assert decision.seeds[0] == seeds[i]


def test_random_is_uniform():
    state = scene(["1 2 3 4 5 6", "7", "8"])  # an empty table: six leads
    legal = np.flatnonzero(masks(KAMPF, np.array([state], KAMPF.dtype))[0])
    assert len(legal) == 6
    actions = choices(make_agent("random", KAMPF), np.array([state] * 6000, KAMPF.dtype))
    counts = np.bincount(actions, minlength=KAMPF.num_actions)[legal]
    assert counts.sum() == 6000
    assert np.abs(counts - 1000).max() < 130  # 4.5 standard deviations


def test_both_play_inside_a_batch():
    vec = mages_env.make_vec(KAMPF.name, 64, num_players=3, seed=1)
    for name in ("random", "rule_based"):
        vec.reset(seed=1)
        table = KAMPF.table(policy=make_agent(name, KAMPF).policy)
        actions = np.zeros(64, np.int64)
        for _ in range(30):
            vec.step(vec.act(table, np.ones(64, np.bool_), actions))


def test_rule_based_wins_against_two_random():
    rule_based = make_agent("rule_based", KAMPF)
    random = make_agent("random", KAMPF)
    assert wins(KAMPF, [rule_based, random, random], 25)[0] > 0.9


@pytest.mark.parametrize("num_players", [2, 3, 6])
def test_rule_based_players_do_not_hand_the_same_top_card_round_for_ever(num_players):
    env = mages_env.make_vec(
        KAMPF.name, 300, num_players=num_players, variant="open_pile", autoreset="disabled"
    ).reset(seed=2)
    table = KAMPF.table(policy=make_agent("rule_based", KAMPF).policy)
    actions = np.zeros(300, np.int64)
    while (running := env.seat >= 0).any():
        env.step(env.act(table, running, actions))
    assert (env.final_states["over"] == TERMINATED).all()


class TestRuleBased:
    """Positions with one sensible play."""

    agent = make_agent("rule_based", KAMPF)

    def plays(self, *args, **kwargs):
        return plays(self.agent, scene(*args, **kwargs))

    def test_goes_out_when_it_can(self):
        # One play is left, and it beats the table.
        assert self.plays(["13", "1 1", "2 2"], table="8", power=8, draw_pile="") == "play 13"

    def test_leads_low_cards_and_all_of_a_power(self):
        assert self.plays(["1 1 1 9 12 13", "3", "4"]) == "play 1 1 1"

    def test_rather_takes_one_card_than_spend_a_thirteen(self):
        assert self.plays(["2 3 13 5 6 7", "3", "4"], table="12", power=12) == "take the table"

    def test_spends_a_crystal_ball_on_a_large_table(self):
        hand = "1 1 2 2 3 ball"
        table = "5 6 7 8 9 10 11 12 12"
        assert self.plays([hand, "3", "4"], table=table, power=24) == "play crystal ball"

    def test_uses_its_top_card(self):
        # A nine would do from the hand as well; the one on the pile is not collected then.
        text = self.plays(
            ["2 3 9 9 12 13", "3", "4"],
            table="4 4",
            power=8,
            piles={0: "1 9"},
            variant="open_pile",
        )
        assert text.startswith("play top")


def _last(state, mask, rng):
    action = mask.size - 1
    while mask[action] == 0:
        action -= 1
    return action


def test_a_policy_of_ones_own_is_an_agent():
    policy = compiled(signatures(KAMPF.dtype).policy)(_last)
    agent = CompiledAgent(KAMPF, policy, "last")
    states = random_positions(KAMPF, 50)
    last = KAMPF.num_actions - 1 - masks(KAMPF, states)[:, ::-1].argmax(axis=1)
    assert (choices(agent, states) == last).all()
    assert agent.name == "last"
