"""Random play is as long, as wide and as level as an independent implementation found it."""

import importlib
import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("rich")


@pytest.fixture
def orientation(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2]))
    return importlib.import_module("benchmarks.orientation")


def kampf(orientation, num_players, variant="classic"):
    game = orientation.mages_env.get_game("kampf_der_magier_v0")
    return game, orientation.measure(game, num_players, 400, 1, deck="falling", variant=variant)


@pytest.mark.parametrize("num_players", range(2, 7))
def test_kampf_der_magier(orientation, num_players):
    game, found = kampf(orientation, num_players)
    known = orientation.reference(game, "random", num_players)
    # The median of 400 games has a standard error of under 1 decision.
    assert abs(found["decisions"]["median"] - known) <= 3
    assert found["legal"]["mean"] == pytest.approx(3.9, abs=0.2)
    assert 20 <= found["legal"]["max"] <= 26
    assert found["truncated"] == 0
    assert found["seat_z"] < 3.5
    assert sum(found["seat_rewards"]) == pytest.approx(0, abs=1e-5)


def test_kampf_der_magier_with_open_piles(orientation):
    _, found = kampf(orientation, 3, "open_pile")
    assert found["decisions"]["median"] == pytest.approx(231, abs=4)
    assert 26 < found["legal"]["max"] <= 41
    assert found["seat_z"] < 3.5


def test_command(orientation, monkeypatch, tmp_path, capsys):
    command = ["orientation", "--game", "kampf_der_magier_v0", "--games", "3", "--out"]
    monkeypatch.setattr(sys, "argv", [*command, str(tmp_path)])
    orientation.main()
    assert "Kampf der Magier" in capsys.readouterr().out
    results = json.loads((tmp_path / "orientation_kampf_der_magier.json").read_text())["results"]
    lines = [(r["player"], dict(r["configuration"]), r["num_players"]) for r in results]
    assert lines[0] == ("random", {}, 2)
    assert ("random", {"variant": "open_pile"}, 6) in lines
    assert lines[-1] == ("rule_based", {}, 6)
    assert len(lines) == 4 * 5
    assert results[0]["reference_median"] == 130
    assert results[-1]["reference_median"] is None
    assert results[0]["turns"]["median"] <= results[0]["decisions"]["median"]
    assert results[0]["score"]["mean"] > 0
