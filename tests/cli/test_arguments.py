"""NAME=VALUE, as command lines, agents and settings spell it: one way for all."""

import pytest

import mages_env
from mages_env.arguments import read_arguments, read_options, read_value
from mages_env.games.dark_mages.deck import DeckError
from mages_env.record import Recorder
from mages_env.training.naming import configuration, substituting
from mages_env.training.watch import played_game

KAMPF = mages_env.get_game("kampf_der_magier_v0")
DARK = mages_env.get_game("dark_mages_v0")


@pytest.mark.parametrize(
    ("text", "wanted", "value"),
    [
        ("1.0", ("1.5", "1.0"), "1.0"),
        ("EVEN", ("falling", "even"), "even"),
        ("true", (False, True), True),
        ("2", (0, 2, 3), 2),
        ("two", (0, 2, 3), "two"),
        ("7", range(1, 5), 7),
        ("7.5", range(1, 5), "7.5"),
        ("1_000", int, 1000),
        ("x", int, "x"),
        ("1e-3", float, 0.001),
        (" 5 ", float, 5.0),
        ("False", bool, False),
        ("0", bool, "0"),
        ("007", str, "007"),
        ("20", None, 20),
        ("0.5", None, 0.5),
        ("TRUE", None, True),
        ("None", None, None),
        ("'20'", None, "20"),
        ("(1, 2)", None, (1, 2)),
        ("rule_based", None, "rule_based"),
        ("a/b=c.txt", None, "a/b=c.txt"),
        ("", None, ""),
    ],
)
def test_a_value(text, wanted, value):
    found = read_value(text, wanted)
    assert found == value and type(found) is type(value)


def test_arguments():
    found = read_arguments(["a = 1", "path=x=y, z", "name=3"], "argument", {"name": str})
    assert found == {"a": 1, "path": "x=y, z", "name": "3"}


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["a"], "argument 'a' is not of the form name=value; say more"),
        (["=3"], "argument '=3' is not of the form name=value"),
        (["a=1", "a =2"], "argument 'a' is given twice"),
    ],
)
def test_arguments_that_are_none(texts, message):
    with pytest.raises(ValueError, match=message):
        read_arguments(texts, "argument", hint="; say more")


def test_options_of_a_game():
    game, found = read_options(KAMPF, ["num_players=3", "deck=EVEN", "rounds=2"])
    assert game is KAMPF and found == {"num_players": 3, "deck": "even", "rounds": 2}
    with pytest.raises(ValueError, match=r"dark_mages_v0 has rules, .*reward, deck$"):
        read_options(DARK, ["rules"])


def test_another_game_is_asked_for_like_an_option(monkeypatch):
    made = []
    monkeypatch.setitem(DARK.substitutes, "deck", lambda path: made.append(path) or KAMPF)
    game, found = read_options(DARK, ["deck= my/1.json", "rounds=2"])
    assert game is KAMPF and made == ["my/1.json"] and found == {"rounds": 2}
    game, config = configuration(DARK, 4, ["deck=2", "rounds=2"])
    assert game is KAMPF and config == KAMPF.resolve_options(num_players=4, rounds=2)
    assert made[1:] == ["2"]
    assert substituting(DARK, ["rules=1.0", "deck=2"]) == ["deck=2"]


def test_a_deck_that_is_none(tmp_path):
    (tmp_path / "bad.json").write_text("112 cards")
    with pytest.raises(DeckError, match=r"bad\.json is no deck file"):
        configuration(DARK, None, [f"deck={tmp_path / 'bad.json'}"])
    with pytest.raises(OSError, match="nowhere"):
        configuration(DARK, None, ["deck=nowhere.json"])


def test_the_game_of_a_record(monkeypatch):
    record = Recorder(KAMPF, {"num_players": 2}, 1).record()
    assert played_game(record, None, []) is None
    assert played_game(record, "kampf", []) is KAMPF
    with pytest.raises(ValueError, match=r"'rounds=2': the options are in the record; .* nothing$"):
        played_game(record, None, ["rounds=2"])
    with pytest.raises(ValueError, match=r"made it another game is asked for, here deck$"):
        played_game(record, "dark_mages_v0", ["rules=1.0"])
