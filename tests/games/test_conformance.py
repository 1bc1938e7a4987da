"""Every game keeps every promise of the conformance kit, its golden games among them."""

import importlib
from pathlib import Path

import pytest

import mages_env
from mages_env.testing import ContractError, check_game
from mages_env.testing.golden import check_golden

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("name", mages_env.games())
def test_a_game_keeps_its_promises(name):
    folder = name.rpartition("_v")[0]
    invariants = importlib.import_module(f"tests.games.{folder}.invariants")
    game = mages_env.get_game(name)
    counts = check_game(
        game,
        games=1,
        samples=6,
        golden=GOLDEN / name,
        invariant=invariants.check,
    )
    if game.perfect_information:
        assert counts.pop("redrawn") == 0
    assert min(counts.values()) > 0


def test_a_game_without_golden_games_fails(tmp_path):
    game = mages_env.get_game(mages_env.games()[0])
    with pytest.raises(ContractError, match=r"no golden games in .*--write-golden"):
        check_golden(game, tmp_path)


def test_golden_games_are_of_games_that_there_are():
    assert {path.name for path in GOLDEN.iterdir()} <= set(mages_env.games())
