"""Options: values, defaults, and what is refused with which words."""

import re
from importlib.resources import files

import pytest

from mages_env import kampf_der_magier_v0
from mages_env.games.kampf_der_magier import GAME

RULES = (files("mages_env.games.kampf_der_magier") / "RULES.md").read_text(encoding="utf-8")


def test_defaults():
    assert GAME.resolve_options() == {
        "num_players": 3,
        "deck": "falling",
        "variant": "classic",
        "rounds": 3,
        "max_turns": 0,
        "reward": "rank",
    }


@pytest.mark.rule("KDM-12")
@pytest.mark.parametrize("count", range(2, 7))
def test_as_many_rounds_as_players(count):
    assert GAME.resolve_options(count)["rounds"] == count
    assert GAME.resolve_options(count, rounds=1)["rounds"] == 1


@pytest.mark.rule("KDM-17", "ALL-05")
@pytest.mark.parametrize(
    ("asked", "limit"), [({}, 480), ({"rounds": 1}, 120), ({"max_turns": 7}, 7)]
)
def test_turn_limit_of_open_piles(asked, limit):
    assert GAME.resolve_options(4, variant="open_pile", **asked)["max_turns"] == limit


@pytest.mark.rule("KDM-17")
def test_the_classic_game_may_be_asked_for_no_limit():
    assert GAME.resolve_options(max_turns=0)["max_turns"] == 0


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"num_players": 1}, "is for 2 to 6 players, not num_players=1"),
        ({"num_players": 7}, "is for 2 to 6 players, not num_players=7"),
        ({"deck": "eben"}, "deck='eben' must be one of 'falling', 'even'; did you mean 'even'?"),
        ({"variant": "open"}, "did you mean 'open_pile'?"),
        ({"rounds": 0}, "rounds=0 must be an integer from 1 to 100"),
        ({"rounds": 101}, "rounds=101 must be an integer from 1 to 100"),
        ({"max_turns": 5}, "max_turns=5: the classic game always ends and has no turn limit (0)"),
        ({"variant": "open_pile", "max_turns": 0}, "needs a limit of at least 1"),
        ({"variant": "open_pile", "max_turns": -1}, "max_turns=-1 must be an integer from 0"),
        ({"reward": "points"}, "reward='points' must be one of 'rank', 'score'"),
        ({"varaint": "classic"}, "has no option 'varaint'; it has num_players, deck, variant"),
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
    ids = re.findall(r"^\| (\d+)(?:-(\d+))? \|", section, re.MULTILINE)
    blocks = [GAME.actions.slice(block.name) for block in GAME.actions.blocks]
    assert [(int(a), int(b or a)) for a, b in ids] == [(b.start, b.stop - 1) for b in blocks]
    assert f"{GAME.num_actions} in all; classic games use the first {blocks[3].start}." in section


@pytest.mark.parametrize("face", ["env", "raw_env", "vector_env"])
def test_help_names_the_options(face):
    text = getattr(kampf_der_magier_v0, face).__doc__
    assert "num_players: 2 to 6; 3 unless asked otherwise." in text
    assert "deck: 'falling', 'even'; default 'falling'." in text
    assert "max_turns: 0 to 1,000,000; default open pile: 120 x rounds; classic: 0." in text
    assert all(f"{option.name}: " in text for option in GAME.options)
