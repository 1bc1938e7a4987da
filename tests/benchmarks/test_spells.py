"""The benchmark of the spells forbids what it says, and nothing else."""

import importlib
import json
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

import mages_env
from mages_env.agents import make_agent
from mages_env.games.magic_duel import GAME
from mages_env.games.magic_duel.data import DRAIN_ENERGY, ENERGY, HEALING
from mages_env.games.magic_duel.state import A_SPELL, A_UNIT, CASTING, DEEDS, MAGES, P_SPELL

pytest.importorskip("rich")

CASTS = [A_UNIT + len(DEEDS) * mage + CASTING for mage in range(MAGES)]


@pytest.fixture
def spells(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2]))
    return importlib.import_module("benchmarks.spells")


def masks(game, state):
    mask = np.zeros(game.num_actions, np.int8)
    game.legal(state, mask)
    return mask


def states(game, decisions, seed):
    """The states of random games."""
    rng = np.random.default_rng(seed)
    state = game.new_state()[0]
    game.reset(state, np.uint64(seed))
    for _ in range(decisions):
        if state.over:
            game.reset(state, rng.integers(2**63, dtype=np.uint64))
        yield state
        game.step(state, rng.choice(np.flatnonzero(masks(game, state))))


@pytest.mark.parametrize("side", [0, 1])
def test_one_side_may_not_cast_one_spell(spells, side):
    game = spells.handicapped(side, 1 << HEALING)
    differing = 0
    for state in states(game, 6000, 1):
        before = state.tobytes()
        allowed, usual = masks(game, state), masks(GAME, state)
        assert state.tobytes() == before
        if (allowed != usual).any():
            differing += 1
            assert state.seat == side
            assert state.phase == P_SPELL
            assert np.flatnonzero(allowed != usual).tolist() == [A_SPELL + HEALING]
    assert differing > 0


def test_without_any_other_target_there_is_no_casting(spells):
    game = spells.handicapped(0, 1 << ENERGY)
    differing = 0
    for state in states(game, 6000, 2):
        before = state.tobytes()
        allowed, usual = masks(game, state), masks(GAME, state)
        assert state.tobytes() == before
        gone = np.flatnonzero(allowed != usual)
        assert allowed.any()
        if gone.size:
            assert state.seat == 0
            assert set(gone) <= {*CASTS, A_SPELL + ENERGY}
            differing += gone[0] in CASTS
    # A wizard always has itself for Unnatural Speed, until it moves as fast as can be.
    assert differing == 0


def test_without_spells_nothing_is_cast_by_that_side(spells):
    game = spells.handicapped(1, spells.EVERY_SPELL)
    seats = set()
    for state in states(game, 6000, 3):
        allowed, usual = masks(game, state), masks(GAME, state)
        gone = np.flatnonzero(allowed != usual)
        assert set(gone) == ({a for a in CASTS if usual[a]} if state.seat == 1 else set())
        seats.add(int(state.seat))
    assert seats == {0, 1}


def test_the_game_travels_to_other_processes(spells):
    game = spells.handicapped(1, 3)
    again = pickle.loads(pickle.dumps(game))
    assert again is game
    assert game.name != spells.handicapped(0, 3).name


def test_studies_are_resumed_and_counted(spells, monkeypatch, tmp_path):
    def written(deals, *without, player="ismcts:iterations=5"):
        out = tmp_path / "spells.json"
        words = ["--without", *(without or ("Healing", "all six")), "--player", player]
        words += ["--processes", 1, "--deals", deals]
        words += ["--results", tmp_path / "games.sqlite", "--out", out]
        monkeypatch.setattr(sys, "argv", ["spells", *map(str, words)])
        assert spells.main() == 0
        return json.loads(out.read_text())

    assert [study["games"] for study in written(1)["studies"]] == [2, 2]
    second = written(2)
    assert [study["forbidden"] for study in second["studies"]] == ["Healing", "all six"]
    for study in second["studies"]:
        low, high = study["interval"]
        assert study["games"] == 4
        assert low <= study["win_rate"] <= high
        assert study["measurable"] == (low > 0.5)
    assert second["player"] == "ismcts:iterations=5"
    # More deals of one spell: the rest of the file stays, unless other players made it.
    third = written(3, "Healing")
    assert [study["games"] for study in third["studies"]] == [6, 4]
    assert third["studies"][1] == second["studies"][1]
    other = written(1, "Healing", player="ismcts:iterations=6")
    assert [study["games"] for study in other["studies"]] == [2]
    assert "spells" in str(spells.default_results())


def test_the_rule_based_player_knows_what_it_may_not_do(spells):
    game = spells.handicapped(0, 1 << DRAIN_ENERGY)
    table = game.table(policy=make_agent("rule_based", game).policy)
    env = mages_env.make_vec(game, 200, seed=1, autoreset="disabled").reset()
    actions = np.zeros(200, np.int64)
    cast = [0, 0]
    while (running := env.seat >= 0).any():
        env.act(table, running, actions)
        for side in spells.SIDES:
            acts = running & (env.seat == side)
            cast[side] += int((actions[acts] == A_SPELL + DRAIN_ENERGY).sum())
        env.step(actions)  # raises for an action that is not legal
    assert cast[0] == 0 < cast[1]
