"""Positions in which the rule-based player has one sensible thing to do."""

import numpy as np
import pytest

from mages_env.agents import make_agent
from mages_env.games.dark_mages import GAME
from tests.agents.positions import choices, wins

from .scene import scene, seat


def does(state):
    (action,) = choices(make_agent("rule_based", GAME), np.array([state], GAME.dtype))
    return GAME.action_text(state, int(action))


def prepares(hand, **own):
    return does(scene([seat(hand, **own), seat()], phase="preparation"))


def attacks(hand, *others, **own):
    return does(scene([seat(hand, **own), *(others or [seat()])]))


class TestPreparation:
    def test_wears_the_better_item(self):
        assert prepares("Staff +2", items="Staff +1") == "play Staff +2"
        assert prepares("Staff +1", items="Staff +2") == "pass"

    def test_heals_when_little_is_wasted(self):
        assert prepares("Healing", hp=30) == "play Healing"
        assert prepares("Healing", hp=58) == "pass"

    def test_places_a_companion_but_keeps_a_better_one(self):
        assert prepares("Troll").startswith("place Troll as ")
        assert prepares("Wolf", companion="Troll defender 15") == "pass"

    def test_a_potion_for_an_attack_waits_for_one(self):
        assert prepares("Potion of Accuracy, Magic Missile") == "play Potion of Accuracy"
        assert prepares("Potion of Accuracy, Dodge") == "pass"

    def test_a_new_magic_shield_when_the_old_one_is_used_up(self):
        assert prepares("Magic Shield") == "play Magic Shield"
        assert prepares("Magic Shield", pool=10) == "pass"


class TestAttack:
    def test_the_strongest_spell_that_can_be_cast(self):
        hand = "Acid Ball, Spontaneous Combustion, Boiling Blood"
        strong = attacks(hand, seat(), items="Ring of Arcane +1", character="Druid")
        assert strong == "cast Spontaneous Combustion at player_1"

    def test_the_weakest_opponent(self):
        assert attacks("Acid Ball", seat(), seat(hp=9)) == "cast Acid Ball at player_2"

    def test_the_companion_follows_its_magician(self):
        own = {"companion": "Troll attacker 15", "character": "Druid"}
        assert attacks("Acid Ball", **own) == "cast Acid Ball at player_1"
        state = scene([seat("Acid Ball", **own), seat()], used="attacks")
        assert does(state) == "companion attacks player_1"


def test_discards_what_it_misses_least():
    state = scene([seat("Dodge, Staff +1", items="Staff +2"), seat()], phase="end")
    assert does(state) == "discard Staff +1"


def test_answers_what_hurts():
    def answer(hand, spell, **own):
        state = scene([seat(spell, character="Druid"), seat(hand, character="Cleric", **own)])
        action = GAME.parse_action(state, f"cast {spell} at player_1")
        GAME.step(state, action)
        return does(state)

    assert answer("Dodge", "Forest Army", hp=5) == "play Dodge"
    assert answer("Shield of Reflection", "Forest Army") == "play Shield of Reflection"
    assert answer("Dodge", "Black Tentacles", companion="Wolf defender 1") == "pass"


@pytest.mark.parametrize(("num_players", "least"), [(2, 0.9), (4, 0.8)])
def test_wins_against_random_players(num_players, least):
    agents = [make_agent("rule_based", GAME), *[make_agent("random", GAME)] * (num_players - 1)]
    assert wins(GAME, agents, 10)[0] > least
