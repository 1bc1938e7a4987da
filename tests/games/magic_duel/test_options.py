"""Options, the tables of RULES.md, and scenario data other than the published."""

import re
from importlib.resources import files

import pytest

from mages_env import magic_duel_v0
from mages_env.games.magic_duel import GAME
from mages_env.games.magic_duel.data import SPELLS, UNITS

RULES = (files("mages_env.games.magic_duel") / "RULES.md").read_text(encoding="utf-8")


def test_defaults():
    assert GAME.resolve_options() == {
        "num_players": 2,
        "scenario": "nexus",
        "counter_fatigue": 1,
        "reward": "rank",
    }


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"num_players": 1}, "is for 2 to 4 players, not num_players=1"),
        ({"num_players": 5}, "is for 2 to 4 players, not num_players=5"),
        ({"scenario": "wizard"}, "must be one of 'nexus', 'wizards'; did you mean 'wizards'?"),
        ({"counter_fatigue": -1}, "counter_fatigue=-1 must be an integer from 0 to 5"),
        ({"counter_fatigue": 6}, "counter_fatigue=6 must be an integer from 0 to 5"),
        ({"counter_fatigue": 1.0}, "must be an integer from 0 to 5"),
        ({"reward": "points"}, "reward='points' must be one of 'rank', 'score'"),
        ({"max_turns": 6}, "has no option 'max_turns'; it has num_players, scenario"),
    ],
)
def test_refusals(asked, words):
    with pytest.raises(ValueError) as refused:
        GAME.resolve_options(**asked)
    assert words in str(refused.value)


@pytest.mark.rule("MGD-31", "MGD-06", "ALL-04")
def test_the_options_of_the_rules_page():
    section = RULES.partition("## Options")[2].partition("\n## ")[0]
    named = re.findall(r"^\| `(\w+)` \|.*\| (\S*) ?\|$", section, re.MULTILINE)
    assert named == [("num_players", "MGD-31"), *((o.name, o.rule) for o in GAME.options)]


def test_the_actions_of_the_rules_page():
    section = RULES.partition("## Actions by id")[2]
    ids = re.findall(r"^\| (\d+)(?:-(\d+))? \|", section, re.MULTILINE)
    blocks = [GAME.actions.slice(block.name) for block in GAME.actions.blocks]
    assert [(int(a), int(b or a)) for a, b in ids] == [(b.start, b.stop - 1) for b in blocks]
    assert f"{GAME.num_actions} in all; two sides use the first 180, three the first 185" in section


@pytest.mark.rule("MGD-19")
def test_the_units_of_the_rules_page():
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in RULES.partition("| unit | at |")[2].splitlines()[2:]
        if line.startswith("|")
    ]
    rows = {row[0]: row[2:] for row in cells if len(row) == 16}
    for unit in UNITS:
        said = next(row for names, row in rows.items() if unit.name in names.split(", "))
        numbers = [
            *(unit.models, unit.hit_points, f"{unit.move}/{unit.run}", unit.combat_dice),
            *(unit.attack_skill, unit.defence_bonus, unit.strength, unit.target, unit.armour),
            *(unit.magic_resistance, unit.endurance, unit.morale, unit.bow or "-"),
            unit.victory_points,
        ]
        assert said == [str(number) for number in numbers]


PROFILES = """
wizard 1  1 8 2 3 2 4 1 0 7 6 1 5 10 0 4
wizard 2  1 8 2 3 2 4 1 0 7 6 1 5 10 0 4
archers   4 1 2 3 1 4 1 0 6 4 0 5 9 5 2
warriors  5 2 2 3 2 5 2 0 6 5 0 5 10 0 3
guard     4 2 2 3 2 6 2 1 6 7 1 5 11 0 4
"""


@pytest.mark.rule("MGD-19")
def test_the_profiles():
    for unit, line in zip(UNITS, PROFILES.strip().splitlines(), strict=True):
        assert line.startswith(unit.name)
        assert line.removeprefix(unit.name).split() == [str(int(n)) for n in unit[3:-1]]
    assert [unit.mage for unit in UNITS] == [True, True, False, False, False]


@pytest.mark.rule("MGD-11", "MGD-12", "MGD-13", "MGD-14", "MGD-15", "MGD-16")
def test_the_spells():
    assert [(s.name, s.difficulty, s.rows) for s in SPELLS] == [
        ("Magic Missile", 6, (1, 2, 3, 4)),
        ("Healing", 4, (1, 2, 3)),
        ("Energy", 5, (2, 4, 8)),
        ("Drain Energy", 5, (2, 4, 8)),
        ("Combat Prowess", 7, (1, 2)),
        ("Unnatural Speed", 7, (2, 3, 4)),
    ]


@pytest.mark.parametrize("face", ["env", "raw_env", "vector_env"])
def test_help_names_the_options(face):
    text = getattr(magic_duel_v0, face).__doc__
    assert "num_players: 2 to 4; 2 unless asked otherwise." in text
    assert "scenario: 'nexus', 'wizards'; default 'nexus'." in text
    assert all(f"{option.name}: " in text for option in GAME.options)
