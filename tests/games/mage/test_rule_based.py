"""Positions in which the rule-based player has one sensible thing to do."""

import numpy as np
import pytest

from mages_env.agents import make_agent
from mages_env.games.mage import GAME
from tests.agents.positions import choices, wins

from .scene import scene


def plays(*args, **kwargs):
    state = scene(*args, **kwargs)
    (action,) = choices(make_agent("rule_based", GAME), np.array([state], GAME.dtype))
    return GAME.action_text(state, int(action))


class TestPlays:
    def test_clubs_that_finish_an_opponent_come_first(self):
        # 4 + 6 of a vault of 10 are all the life that is left.
        hands = ["4C 6C 9S JH", "KD"]
        assert plays(hands, life=[30, 10], vault=10) == "damage player_1 with 6C"

    def test_a_diamond_may_pay_for_them(self):
        hands = ["4C 6C 9S JH 2D 5D", "KD"]
        assert plays(hands, life=[30, 10], vault=6) == "discard 5D into the vault"

    def test_cashes_the_smallest_diamond_that_pays(self):
        assert plays(["KH 4D 9D", "AH"]) == "discard 4D into the vault"

    def test_arms_the_royal_that_may_attack(self):
        assert plays(["5S", "AH"], courts=["JC, KD tipped", ""], vault=5) == "put 5S on JC"

    def test_clubs_kill_royals_while_there_are_some(self):
        assert plays(["3C", "AH"], courts=["", "KH, JD"], vault=3) == "put 3C on KH"

    def test_a_joker_goes_to_the_strongest(self):
        assert plays(["joker1", "4S"], courts=["", "KH+9S, KC"], vault=10) == "put joker on KH"

    def test_an_ace_of_diamonds_is_a_card_to_draw(self):
        assert plays(["AD", "KD"], phase="second") == "draw with AD"


class TestFights:
    def test_attacks_where_no_duel_hurts(self):
        assert plays(["", "4S"], courts=["JC, KD", "QC"], phase="attack").endswith("with KD")
        assert plays(["", "4S"], courts=["JC", "QC"], phase="attack") == "done"
        assert plays(["", "4S"], courts=["JC", "QC tipped"], phase="attack").endswith("with JC")

    def test_attacks_with_more_than_can_be_met_if_that_ends_it(self):
        text = plays(["", "4S"], courts=["JC, QD", "QC"], life=[30, 1], phase="attack")
        assert text == "attack player_1 with QD"

    def test_gives_a_jack_to_stay_in(self):
        courts = ["KH tipped attacks 1, KC", "JD"]
        text = plays(["", "4S"], courts=courts, life=[30, 3], phase="duels", to_move=1)
        assert text == "duel KH with JD"

    def test_does_not_give_two_queens_for_a_king(self):
        courts = ["KH tipped attacks 1", "QD, QC"]
        assert plays(["", "4S"], courts=courts, phase="duels", to_move=1) == "done"


def test_discards_what_it_misses_least():
    hands = ["AH AS 2S 10D KH 9C 8C 7C", "4S"]
    assert plays(hands, phase="discard") == "discard AH from the hand"


@pytest.mark.parametrize(("num_players", "least"), [(2, 0.9), (4, 0.8)])
def test_wins_against_random_players(num_players, least):
    agents = [make_agent("rule_based", GAME), *[make_agent("random", GAME)] * (num_players - 1)]
    assert wins(GAME, agents, 10)[0] > least
