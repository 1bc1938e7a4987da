"""Whoever corrects the sheet in ``data`` changes the whole game, and nothing else is to be done."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import mages_env
import mages_env.agents
from mages_env.games.tower_of_mages import data

from .altered import SHEET, as_source, patched
from .slow_tower import Sheet

HERE = Path(__file__).parent
LETTERS = {piece.name: piece.letter for piece in data.PIECES}


def source():
    return Path(data.__file__).read_text(encoding="utf-8")


@pytest.mark.rule("TOM-01", "TOM-02", "TOM-03", "TOM-04", "TOM-05")
def test_the_sheet_put_in_by_itself_changes_nothing():
    found = {}
    exec(patched(source(), as_source(Sheet(), LETTERS)), found)
    for name, value in vars(data).items():
        if not name.startswith("_") and name not in ("np", "NamedTuple", "annotations", "Piece"):
            assert repr(found[name]) == repr(value), name


@pytest.mark.slow
@pytest.mark.rule("TOM-01", "TOM-02", "TOM-03", "TOM-04", "TOM-05")
def test_another_sheet_makes_another_game(tmp_path):
    """Plan, pieces, tables: the rules beside the model, and every promise of the kit."""
    package = tmp_path / "mages_env"
    leave = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(mages_env.__file__).parent, package, ignore=leave)
    agents = Path(mages_env.agents.__file__).parent
    shutil.copytree(agents, package / "agents", ignore=leave, dirs_exist_ok=True)
    shutil.copytree(HERE, tmp_path / "tests" / "games" / HERE.name, ignore=leave)
    changed = patched(source(), as_source(SHEET, LETTERS))
    (package / "games" / HERE.name / "data.py").write_text(changed, encoding="utf-8")
    environment = os.environ | {
        "PYTHONPATH": str(tmp_path),
        "MAGES_CACHE_DIR": str(tmp_path / "cache"),
    }
    played = subprocess.run(
        [sys.executable, "-m", f"tests.games.{HERE.name}.altered"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert played.returncode == 0, played.stderr[-3000:]
