"""What ``? NAME`` tells of a unit and of a spell."""

import pytest

from mages_env.games.magic_duel import GAME
from mages_env.games.magic_duel.data import SPELLS, UNITS
from mages_env.games.magic_duel.state import A_SPELL

from .scene import scene


def test_every_number_of_a_unit():
    assert GAME.explain("archers") == (
        "archers: 4 models of 1 hit point, moves 2, runs 3 squares, a bow for 5 squares, "
        "1 combat die a model, attack skill 4 (what the enemy's defence dice need), defence bonus "
        "1 (lowers what its own need), strength 0 (lowers the armour it strikes), armour 4 (what "
        "wounds it), shots hit it with 6, magic resistance 0, fatigued at 5, morale 9, "
        "2 victory points"
    )
    assert "armour 7 (what wounds it)" in GAME.explain(" Guard ")
    assert "no bow" in GAME.explain("guard")


def test_a_word_is_enough_and_may_mean_several():
    wizard = GAME.explain("wizard")
    assert wizard.startswith("wizard 1, wizard 2: 1 model of 8 hit points")
    assert wizard.endswith("4 victory points, casts and counters")
    assert GAME.explain("wizard 2") == wizard.replace("wizard 1, ", "")
    assert GAME.explain("energy").startswith("Energy: ")
    assert GAME.explain("DRAIN") == GAME.explain("drain  energy")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "healing",
            "Healing: action #128, at an own unit in sight within 7 squares, difficulty 4 + its "
            "magic resistance; power 1, 2, 3 or more: 1, 2, 3 x D5 hit points back, at most to "
            "those of its models at the start of the turn",
        ),
        (
            "drain energy",
            "Drain Energy: action #130, at an enemy unit in sight within 7 squares, difficulty 5 "
            "+ its magic resistance; power 1, 2, 3 or more: 2, 4, 8 fatigue more, at most until "
            "it is fatigued",
        ),
    ],
)
def test_what_a_spell_does(name, words):
    assert GAME.explain(name) == words


def test_everything_can_be_asked_about():
    s = scene("w1 c1", "w1 g9")
    assert {GAME.explain(unit.name).partition(":")[0] for unit in UNITS} == {
        unit.name for unit in UNITS
    }
    for k, spell in enumerate(SPELLS):
        assert GAME.explain(spell.name).startswith(f"{spell.name}: action #{A_SPELL + k},")
        assert GAME.action_text(s, A_SPELL + k) == f"cast {spell.name}"


def test_what_is_neither_unit_nor_spell():
    with pytest.raises(ValueError, match=r"spell is called 'archer'; did you mean 'archers'\?$"):
        GAME.explain("archer")
    with pytest.raises(ValueError, match=r"no unit and no spell is called 'xyzzy'$"):
        GAME.explain("xyzzy")
