"""Options: values, defaults, and what is refused with which words."""

import re
from importlib.resources import files

import pytest

from mages_env import mage_v0
from mages_env.games.mage import GAME

RULES = (files("mages_env.games.mage") / "RULES.md").read_text(encoding="utf-8")


@pytest.mark.rule("MAG-26")
@pytest.mark.parametrize("count", range(2, 7))
def test_defaults(count):
    assert GAME.resolve_options(count) == {
        "num_players": count,
        "max_turns": 100 * count,
        "reward": "rank",
    }


def test_two_players_unless_asked_otherwise():
    assert GAME.resolve_options()["num_players"] == 2


@pytest.mark.rule("MAG-26", "ALL-05")
def test_another_limit():
    assert GAME.resolve_options(4, max_turns=7)["max_turns"] == 7


@pytest.mark.rule("ALL-04")
@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"num_players": 1}, "is for 2 to 6 players, not num_players=1"),
        ({"num_players": 7}, "is for 2 to 6 players, not num_players=7"),
        ({"max_turns": 0}, "max_turns=0 must be an integer from 1 to 1000000"),
        ({"max_turns": -1}, "max_turns=-1 must be an integer from 1"),
        ({"reward": "score"}, "option reward='score': Mage has no score, it pays by 'rank' only"),
        ({"reward": "points"}, "reward='points' must be one of 'rank'"),
        ({"life": 20}, "has no option 'life'; it has num_players, max_turns, reward"),
    ],
)
def test_refusals(asked, words):
    with pytest.raises(ValueError) as refused:
        GAME.resolve_options(**asked)
    assert words in str(refused.value)


def test_the_options_of_the_rules_page():
    section = RULES.partition("## Options")[2].partition("\n## ")[0]
    named = re.findall(r"^\| `(\w+)` \|.*\| (\S*) ?\|$", section, re.MULTILINE)
    assert named == [("num_players", ""), *((o.name, o.rule) for o in GAME.options)]


def test_the_actions_of_the_rules_page():
    section = RULES.partition("## Actions")[2]
    cells = re.findall(r"^\| (`.*?`) \|", section, re.MULTILINE)
    named = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    assert named == [block.name for block in GAME.actions.blocks]
    assert f"{GAME.num_actions} in all" in section


@pytest.mark.parametrize("face", ["env", "raw_env", "vector_env"])
def test_help_names_the_options(face):
    text = getattr(mage_v0, face).__doc__
    assert "num_players: 2 to 6; 2 unless asked otherwise." in text
    assert "max_turns: 1 to 1,000,000; default 100 x players." in text
    assert all(f"{option.name}: " in text for option in GAME.options)
