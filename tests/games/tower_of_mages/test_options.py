"""Options: values, defaults, and what is refused with which words."""

import re
from importlib.resources import files

import pytest

from mages_env import tower_of_mages_v0
from mages_env.games.tower_of_mages import GAME

RULES = (files("mages_env.games.tower_of_mages") / "RULES.md").read_text(encoding="utf-8")


@pytest.mark.rule("ALL-04", "TOM-21")
def test_defaults():
    assert GAME.resolve_options() == {"num_players": 1, "reward": "score"}
    assert GAME.resolve_options(1) == {"num_players": 1, "reward": "score"}
    assert GAME.resolve_options(2) == {"num_players": 2, "reward": "rank"}


@pytest.mark.rule("ALL-04")
@pytest.mark.parametrize(
    ("count", "reward"), [(1, "score"), (2, "rank"), (2, "score"), (1, None), (2, None)]
)
def test_rewards_that_may_be_asked_for(count, reward):
    wanted = reward or ("score" if count == 1 else "rank")
    assert GAME.resolve_options(count, reward=reward)["reward"] == wanted


@pytest.mark.rule("ALL-04", "ALL-05", "TOM-21")
@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"num_players": 0}, "is for 1 to 2 players, not num_players=0"),
        ({"num_players": 3}, "is for 1 to 2 players, not num_players=3"),
        ({"reward": "rank"}, "reward='rank': one player alone has no rank; ask for 'score'"),
        ({"num_players": 1, "reward": "rank"}, "one player alone has no rank"),
        ({"num_players": 2, "reward": "points"}, "reward='points' must be one of 'rank', 'score'"),
        ({"max_turns": 15}, "has no option 'max_turns'; it has num_players, reward"),
    ],
)
def test_refusals(asked, words):
    with pytest.raises(ValueError) as refused:
        GAME.resolve_options(**asked)
    assert words in str(refused.value)


def test_the_options_of_the_rules_page():
    section = RULES.partition("## Options")[2].partition("\n## ")[0]
    named = re.findall(r"^\| `(\w+)` \|.*\| (\S*) ?\|$", section, re.MULTILINE)
    assert named == [("num_players", "TOM-21"), *((o.name, o.rule) for o in GAME.options)]


def test_the_actions_of_the_rules_page():
    section = RULES.partition("## Actions")[2]
    ids = re.findall(r"^\| (\d+)(?:-(\d+))? \|", section, re.MULTILINE)
    blocks = [GAME.actions.slice(block.name) for block in GAME.actions.blocks]
    assert [(int(a), int(b or a)) for a, b in ids] == [(b.start, b.stop - 1) for b in blocks]
    assert f"{GAME.num_actions} in all; the last twelve are for two players." in section
    assert [block.size for block in GAME.actions.blocks] == [6, 6, 6, 195, 8, 1, 6, 1, 10, 2]


@pytest.mark.parametrize("face", ["env", "raw_env", "vector_env"])
def test_help_names_the_options(face):
    text = getattr(tower_of_mages_v0, face).__doc__
    assert "num_players: 1 to 2; 1 unless asked otherwise." in text
    assert "reward: 'rank', 'score'; default alone 'score', for two 'rank'." in text
