"""The balance of Dark Mages: what is measured."""

import importlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("rich")


@pytest.fixture
def balance(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2]))
    return importlib.import_module("benchmarks.balance")


def test_games_are_whole_and_seats_change(balance):
    games = balance.play([balance.only_attackers, balance.only_defenders], 40, 1)
    assert games.share.sum(axis=1) == pytest.approx(np.ones(40))
    assert (games.player[0::2] == [0, 1]).all() and (games.player[1::2] == [1, 0]).all()
    assert (games.characters[:, 0] != games.characters[:, 1]).all()
    assert (games.turns > 1).all()
    assert set(games.starter) == {0, 1}


def test_command(balance, monkeypatch, tmp_path, capsys):
    out = tmp_path / "balance.json"
    monkeypatch.setattr(sys, "argv", ["balance", "--games", "30", "--out", str(out)])
    assert balance.main() == 0
    assert "Necromancer" in capsys.readouterr().out
    found = json.loads(out.read_text())
    assert found["games"] == 30
    assert len(found["characters"]) == 8
    both = found["attacker_among_defenders"]["mean"] + found["defender_among_attackers"]["mean"]
    assert both == pytest.approx(1)


def test_committed_figures_keep_their_bounds(balance):
    found = json.loads(balance.RESULT.read_text())
    assert found["games"] >= 20_000
    assert [check["what"] for check in found["checks"] if not check["met"]] == []
