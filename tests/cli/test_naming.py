"""Games and options as the command line spells them."""

import pytest

import mages_env
from mages_env.training.naming import configuration, find_game

GAME = mages_env.get_game("kampf_der_magier_v0")


@pytest.mark.parametrize("text", ["kampf", "kampf_der_magier", "kampf_der_magier_v0"])
def test_a_beginning_is_enough(text):
    assert find_game(text) is GAME


def test_a_game_of_ones_own_in_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "my_own_game.py").write_text(
        "from mages_env.kampf_der_magier_v0 import GAME\nNOT_ONE = 3\n"
    )
    monkeypatch.chdir(tmp_path)
    assert find_game("my_own_game:GAME") is GAME
    with pytest.raises(ValueError, match="'my_own_game:NOT_ONE' is a int, not a mages_env"):
        find_game("my_own_game:NOT_ONE")
    with pytest.raises(ValueError, match="no game at 'my_own_gam:GAME'"):
        find_game("my_own_gam:GAME")


def test_a_beginning_of_several_is_refused(monkeypatch):
    monkeypatch.setattr(mages_env, "games", lambda: ("mage_v0", "magic_duel_v0"))
    with pytest.raises(ValueError, match="'mag' may be mage_v0 or magic_duel_v0"):
        find_game("mag")


def test_an_unknown_game_is_met_with_the_nearest():
    with pytest.raises(ValueError, match="did you mean 'kampf_der_magier_v0'"):
        find_game("kamf_der_magier_v0")


def test_options_become_values():
    game, config = configuration(GAME, 4, ["variant=open_pile", "rounds=2", "deck=EVEN"])
    assert game is GAME
    assert config == GAME.resolve_options(num_players=4, variant="open_pile", rounds=2, deck="even")
    assert configuration(GAME, None, ["num_players=5"])[1]["num_players"] == 5


@pytest.mark.parametrize(
    ("players", "settings", "message"),
    [
        (None, ["rounds"], "not of the form name=value; .* has deck, variant, rounds"),
        (None, ["round=3"], "no option 'round'.*did you mean 'rounds'"),
        (None, ["rounds=many"], "rounds='many' must be an integer from 1 to 100"),
        (None, ["variant=open"], "must be one of 'classic', 'open_pile'"),
        (7, [], "2 to 6 players, not num_players=7"),
        (None, ["num_players=two"], "num_players='two'"),
    ],
)
def test_what_does_not_fit_is_named(players, settings, message):
    with pytest.raises(ValueError, match=message):
        configuration(GAME, players, settings)
