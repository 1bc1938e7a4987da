"""Options: values, defaults, and what is refused with which words."""

import pytest

from mages_env.games.kampf_der_magier import GAME


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
