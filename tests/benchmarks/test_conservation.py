"""Dark Mages keeps its cards and bounds: a short run of the command, and that it would notice."""

import importlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("rich")


@pytest.fixture
def conservation(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2]))
    return importlib.import_module("benchmarks.conservation")


@pytest.mark.parametrize("players", range(2, 9))
def test_random_play_keeps_cards_and_bounds(conservation, players):
    for options in conservation.configurations(players):
        found = conservation.run(players, 12_000, seed=players, rows=8, **options)
        assert found["decisions"] == 12_000 and found["games"] > 0


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("stack_size", 3, "cards are lost or made"),
        ("hp", 61, "hp outside 0 to 60"),
        ("ac", 40, "ac outside"),
        ("level", -9, "level outside"),
        ("hp", 0, "a fallen magician with hit points"),
        ("turn", 10_000, "more turns than the limit"),
    ],
)
def test_what_is_wrong_is_noticed(conservation, name, value, words):
    game = conservation.mages_env.get_game(conservation.GAME)
    states = np.repeat(game.new_state(3), 4)
    for row, s in enumerate(states):
        game.reset(s, np.uint64(row))
    conservation.check(states, 3)
    states[name][2] = value
    with pytest.raises(conservation.Broken, match=words + ".* in 1 of 4 positions"):
        conservation.check(states, 3)


def test_command_goes_on_where_it_stopped(conservation, monkeypatch, tmp_path, capsys):
    path = tmp_path / "found.json"
    for players in (["2"], ["2", "3"]):
        command = ["conservation", "--decisions", "3000", "--out", str(path), "--players", *players]
        monkeypatch.setattr(sys, "argv", command)
        conservation.main()
    results = json.loads(path.read_text())["results"]
    assert [r["num_players"] for r in results] == [2] * 3 + [3] * 3
    assert capsys.readouterr().out.count("2 players") == 3
