"""The benchmarks of the agents measure what they say."""

import importlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest

import mages_env

pytest.importorskip("rich")


@pytest.fixture
def benchmark(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2]))

    def load(name):
        return importlib.import_module(f"benchmarks.{name}")

    return load


@pytest.fixture
def written(benchmark, monkeypatch, tmp_path):
    def run(name, *words):
        out = tmp_path / f"{name}.json"
        monkeypatch.setattr(sys, "argv", [name, *map(str, words), "--out", str(out)])
        assert benchmark(name).main() == 0
        return json.loads(out.read_text())

    return run


def test_positions_leave_a_choice_and_come_from_all_of_the_game(benchmark):
    positions = benchmark("positions")
    game = mages_env.get_game("kampf_der_magier_v0")
    states = positions.positions(game, 300, 1, "random", num_players=3)
    mask = np.zeros(game.num_actions, np.int8)
    for state in states:
        game.legal(state, mask)
        assert mask.sum() > 1
    shares = np.bincount(states["stage"], minlength=3) / 300
    assert shares == pytest.approx(1 / 3, abs=0.1)


def test_action_values_are_what_the_game_pays(benchmark):
    from tests.agents import nim

    positions = benchmark("positions")
    # One match: the only action wins. Two: taking both wins, and taking one loses.
    one = positions.action_values(nim.GAME, nim.position(1), 10, 0, "random")
    two = positions.action_values(nim.GAME, nim.position(2), 10, 0, "random")
    assert one.tolist() == pytest.approx([1, np.nan, np.nan], nan_ok=True)
    assert two.tolist() == pytest.approx([-1, 1, np.nan], nan_ok=True)


def test_strength_resumes_and_reports(benchmark, monkeypatch, tmp_path):
    strength = benchmark("strength")
    matches = (
        strength.Match(("rule_based", "random", "random"), 0.95),
        strength.Match(("ismcts:iterations=5", "rule_based", "rule_based"), 0.45, deals=3),
    )
    monkeypatch.setitem(strength.MATCHES, "kampf_der_magier_v0", matches)

    def written(*words):
        given = ["strength", "--game", "kampf_der_magier_v0", "--processes", "1", *words]
        given += ["--results", str(tmp_path / "games.sqlite"), "--out", str(tmp_path)]
        monkeypatch.setattr(sys, "argv", given)
        assert strength.main() == 0
        return json.loads((tmp_path / "strength_kampf_der_magier.json").read_text())["matches"]

    assert [match["games"] for match in written("--deals", "2")] == [6, 6]
    second = written("--deals", "3")
    assert [match["games"] for match in second] == [9, 9]
    assert second[0]["required"] == 0.95
    assert "reached" not in second[0]
    game = mages_env.get_game("kampf_der_magier_v0")
    assert "sqlite" in str(strength.default_results(game))


def test_strength_counts_games_that_reach_a_mark(benchmark):
    from tests.envs.pig import GAME

    strength = benchmark("strength")
    match = strength.Match(("random",), 0.0, mark=10)
    with strength.Store() as store:
        result = strength.run_match(GAME, match.lineup, 200, store=store)
        scores = [game.scores[0] for game in store.games(GAME.name, result.options)]
        found = strength.reached(GAME, match, result, store)
    assert found["share"] == np.mean([score >= 10 for score in scores])
    assert 0 < found["interval"][0] < found["share"] < found["interval"][1] < 1


def test_strength_compares_the_seats_of_equals(benchmark):
    from tests.agents.nim import GAME

    strength = benchmark("strength")
    with strength.Store() as store:
        mirror = strength.run_match(GAME, ("random", "random"), 200, store=store)
        games = store.games(GAME.name, mirror.options)
        rates = strength.by_seat(GAME, mirror, store)
        mixed = strength.run_match(GAME, ("random", "ismcts:iterations=1"), 1, store=store)
        assert strength.by_seat(GAME, mixed, store) == []
    wins = [game.returns[0] > game.returns[1] for game in games]
    assert rates[0]["win_rate"] == np.mean(wins)
    assert rates[0]["win_rate"] + rates[1]["win_rate"] == pytest.approx(1)
    assert rates[0]["interval"][0] < rates[0]["win_rate"] < rates[0]["interval"][1]


def test_search_speed(benchmark, written, monkeypatch):
    module = benchmark("search_speed")
    monkeypatch.setattr(module, "MILLISECONDS", 2)
    monkeypatch.setattr(module, "BATCH", 16)
    monkeypatch.setattr(module.os, "sched_setaffinity", lambda *_: None, raising=False)
    words = ["--game", "kampf_der_magier_v0", "--positions", 2, "--rounds", 1]
    figures = written("search_speed", *words)["games"]["kampf_der_magier_v0"]
    assert figures["batch_decisions_per_second"] > 0
    assert len(figures["search"]) == 3 * 2 * 3
    assert all(case["iterations_per_second"] > 0 for case in figures["search"])


def test_search_choices(benchmark, written, monkeypatch):
    module = benchmark("search_choices")
    monkeypatch.setattr(module, "SETTINGS", ({}, {"horizon": 0}))
    found = written("search_choices", "--positions", 40, "--games", 100, "--time-ms", 2)
    random, rule_based, *searches = (case["regret"] for case in found["regret"])
    assert random > rule_based >= 0
    assert all(0 <= regret < random for regret in searches)
