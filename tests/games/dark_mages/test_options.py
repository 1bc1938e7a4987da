"""Options: values, defaults, and what is refused with which words."""

import re
from importlib.resources import files

import pytest

from mages_env import dark_mages_v0
from mages_env.games.dark_mages import GAME

RULES = (files("mages_env.games.dark_mages") / "RULES.md").read_text(encoding="utf-8")


@pytest.mark.rule("DM-39")
@pytest.mark.parametrize("count", range(2, 9))
def test_defaults(count):
    assert GAME.resolve_options(count) == {
        "num_players": count,
        "rules": "1.5",
        "teams": 0,
        "cantrip_rule": "no_usable",
        "sphere_unlocks_level": True,
        "overflow": False,
        "max_turns": 250 * count,
        "reward": "rank",
    }


@pytest.mark.rule("DM-38")
@pytest.mark.parametrize("count", range(2, 9))
def test_teams_are_equal_and_of_two_at_least(count):
    possible = []
    for teams in (2, 3, 4):
        try:
            GAME.resolve_options(count, teams=teams)
        except ValueError as refused:
            assert f"{count} players do not make {teams} equal teams of two or more" in str(refused)
        else:
            possible.append(teams)
    assert possible == {4: [2], 6: [2, 3], 8: [2, 4]}.get(count, [])


@pytest.mark.rule("ALL-04")
@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"num_players": 1}, "is for 2 to 8 players, not num_players=1"),
        ({"num_players": 9}, "is for 2 to 8 players, not num_players=9"),
        ({"rules": "2.0"}, "rules='2.0' must be one of '1.5', '1.0'"),
        ({"teams": 5}, "teams=5 must be one of 0, 2, 3, 4"),
        ({"cantrip_rule": "never"}, "cantrip_rule='never' must be one of 'no_usable', 'strict'"),
        ({"overflow": "yes"}, "overflow='yes' must be one of False, True"),
        ({"sphere_unlocks_level": 2}, "sphere_unlocks_level=2 must be one of True, False"),
        ({"max_turns": 0}, "max_turns=0 must be an integer from 1 to 1000000"),
        ({"reward": "score"}, "option reward='score' must be one of 'rank'"),
        ({"hands": 6}, "has no option 'hands'"),
    ],
)
def test_refusals(asked, words):
    with pytest.raises(ValueError) as refused:
        GAME.resolve_options(**asked)
    assert words in str(refused.value)


def test_the_options_of_the_rules_page():
    section = RULES.partition("## Options")[2].partition("\n## ")[0]
    named = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    assert named == ["num_players", *(o.name for o in GAME.options), "deck"]


def test_the_actions_of_the_rules_page():
    section = RULES.partition("## Actions")[2]
    assert f"{GAME.num_actions} in all" in section
    ranges = re.findall(r"^\| (\d+)(?:-(\d+))? \|", section, re.MULTILINE)
    found = [(int(first), int(last or first)) for first, last in ranges]
    starts = [GAME.actions.start(block.name) for block in GAME.actions.blocks]
    assert [first for first, _ in found] == starts
    assert [last + 1 for _, last in found] == [*starts[1:], GAME.num_actions]


@pytest.mark.parametrize("face", ["env", "raw_env", "vector_env"])
def test_help_names_the_options(face):
    text = getattr(dark_mages_v0, face).__doc__
    assert all(f"{option.name}: " in text for option in GAME.options)
